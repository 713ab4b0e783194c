"""Run the lessons and save them with their outputs: ``python -m tests.notebooks.refresh [NOTEBOOK …]``.

Widget views are left out: without the kernel that made them they are only an error message. The static picture
that every live figure brings along stays, so that a saved lesson can be read anywhere.
"""

from __future__ import annotations

import pathlib
import sys
from itertools import pairwise

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = pathlib.Path(__file__).parents[2] / "notebooks"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}


def without_widgets(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Drop widget views and whatever a run leaves in the metadata; texts that came in pieces become one."""
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            for output in cell.outputs:
                output.get("data", {}).pop(WIDGET_VIEW, None)
            cell.outputs = [
                o for o in cell.outputs if o.output_type not in ("display_data", "execute_result") or o.data
            ]
            for before, output in list(pairwise(cell.outputs)):
                if before.output_type == output.output_type == "stream" and before.name == output.name:
                    output.text = before.text + output.text
                    cell.outputs = [o for o in cell.outputs if o is not before]
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    return notebook


def refresh(path: pathlib.Path) -> None:
    """Run one notebook in its own folder, as Jupyter does, and save it."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=600, store_widget_state=False, resources={"metadata": {"path": str(path.parent)}}
    )
    client.execute()
    nbformat.write(without_widgets(notebook), path)


if __name__ == "__main__":
    for given in [pathlib.Path(name) for name in sys.argv[1:]] or sorted(NOTEBOOKS.glob("*.ipynb")):
        print(given)
        refresh(given)
