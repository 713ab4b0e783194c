"""What a reader's screen does to the panels: nothing may be cut, covered, or put behind a scroll bar."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterator

from tests.browser import lab

SIZES = [(1280, 720), (1400, 900)]
_LARGE = {"width": 1400, "height": 1700}

# A pixel and a half may be lost to rounding. Texts of a hover box come and go: they are not looked at.
_FAULTS = """panel => {
    const room = 1.5, found = [], seen = box => box.width > 0 && box.height > 0;
    const meets = (one, two) => one.left + room < two.right && two.left + room < one.right
        && one.top + room < two.bottom && two.top + room < one.bottom;
    const said = text => text.textContent.slice(0, 60);
    for (const element of panel.querySelectorAll('*')) {
        const style = getComputedStyle(element);
        const [needs, has] = [element.scrollWidth, element.clientWidth];
        if (['auto', 'scroll'].includes(style.overflowX) && has && needs > has)
            found.push(`a scroll bar under ${element.className || element.tagName}: ${needs} px in ${has} px`);
    }
    panel.querySelectorAll('.semwork-figure').forEach((figure, number) => {
        const outer = figure.getBoundingClientRect();
        const tools = Array.from(figure.querySelectorAll('.modebar-group'), group => group.getBoundingClientRect());
        for (const text of figure.querySelectorAll('.main-svg text')) {
            const box = text.getBoundingClientRect();
            if (text.closest('.hoverlayer') || !seen(box) || getComputedStyle(text).visibility === 'hidden') continue;
            const legend = text.closest('.legend')?.querySelector('.bg').getBoundingClientRect();
            // A text that is clipped by its plot may be wholly out of sight, after a zoom, but not in part.
            const plot = text.closest('[clip-path]')?.closest('.subplot')?.classList[1];
            const area = plot && figure.querySelector(`.draglayer .${plot} .nsewdrag`)?.getBoundingClientRect();
            const clip = area && meets(box, area) ? area : undefined;
            for (const [what, whole] of [['the figure', outer], ['its legend', legend], ['its plot', clip]]) {
                const over = whole && Math.max(whole.left - box.left, box.right - whole.right,
                                               whole.top - box.top, box.bottom - whole.bottom);
                if (over > room) found.push(`figure ${number}: ${Math.round(over)} px outside ${what}: ${said(text)}`);
            }
            if (tools.some(tool => meets(tool, box)))
                found.push(`figure ${number}: under the tool bar: ${said(text)}`);
        }
    });
    return found;
}"""


def _settle(notebook: lab.Notebook, panel: int) -> None:
    """Wait until every figure of a panel is as wide as its place, and nothing is being redrawn."""
    notebook.page.wait_for_function(
        """number => Array.from(document.querySelectorAll('.semwork-panel')[number].querySelectorAll('.semwork-figure'))
            .every(figure => Math.abs((figure._fullLayout?.width ?? 0) - figure.clientWidth) <= 1)""",
        arg=panel,
    )
    notebook.page.wait_for_timeout(300)


def _views(notebook: lab.Notebook, panel: int) -> Iterator[str]:
    """Press every button of “look at”, one after the other; the first one last."""
    row = notebook.panel(panel).locator(
        ".semwork-controls > .widget-vbox", has=notebook.page.locator(".semwork-control-name", has_text="look at")
    )
    names = row.locator(".widget-toggle-button").all_inner_texts()
    for name in [*names[1:], *names[:1]] or [""]:
        if name:
            row.locator(f".widget-toggle-button:text-is('{name}')").click()
            notebook.page.wait_for_timeout(500)
        yield name


def faults(notebook: lab.Notebook) -> list[str]:
    """Say what is cut, covered or scrolled in any panel of a notebook, in ordinary windows, and open the large one."""
    folder, found = os.environ.get("SEMWORK_SCREENSHOTS"), []
    try:
        for width, height in SIZES:
            notebook.page.set_viewport_size({"width": width, "height": height})
            for panel in range(notebook.page.locator(".semwork-panel").count()):
                notebook.panel(panel).scroll_into_view_if_needed()
                for view in _views(notebook, panel):
                    _settle(notebook, panel)
                    where = f"{width} × {height}, panel {panel}{view and f', {view}'}"
                    found += [f"{where}: {fault}" for fault in notebook.panel(panel).evaluate(_FAULTS)]
                    if folder:
                        name = f"{notebook.path[:2]}_{width}_{panel}{view and f'_{view}'}.png"
                        notebook.panel(panel).screenshot(path=pathlib.Path(folder) / name)
    finally:
        notebook.page.set_viewport_size(_LARGE)
    return found


def test_nothing_is_cut_covered_or_scrolled_in_an_ordinary_window(ran: lab.Notebook) -> None:
    """Every lesson's module imports this test: it runs on the lesson that the module has opened."""
    found = faults(ran)
    assert not found, "\n".join(found)
