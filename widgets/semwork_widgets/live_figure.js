// A light plotly figure for Jupyter.
//
// plotly.js itself (5 MB, 1.5 MB gzipped) is not part of this module: it comes once per page, and every figure of the
// page awaits the same promise. After that only what changed travels: one message per update, arrays as binary buffers.
//
// The types in comments are checked by `make check`; nothing has to be built.

/** @typedef {import("@anywidget/types").AnyModel} Model */
/** @typedef {DataView<ArrayBuffer>} Buffer  what comes beside a message */
/** @typedef {Record<string, any>} Values  what plotly takes as JSON: a trace, a layout, a part of one */
/** @typedef {{ dtype: keyof typeof TYPED, shape: number[], at: number }} Packed  an array that came as a buffer */
/** @typedef {{ set: Values, drop: string[] }} Change */
/**
 * A figure, as it is sent.
 * @typedef {{ revision: number, alt: string, data: Values[], layout: Values, config: Values }} State
 */
/** @typedef {{ family: string, size: number, bold?: boolean }} Font */
/** @typedef {HTMLDivElement & { on(name: string, told: (event: any) => void): void, _fullLayout?: Values }} Plot */
/**
 * @typedef {object} Plotly  what is used of plotly.js
 * @property {(plot: Plot, data: Values[], layout: Values, config: Values) => Promise<void>} react
 * @property {(picture: Values, how: Values) => Promise<string>} toImage
 * @property {(plot: Plot) => void} purge
 */
/**
 * @typedef {object} Slot  where a page keeps its plotly.js
 * @property {number} asked  when it was asked for last
 * @property {boolean} ready
 * @property {string} page
 * @property {Promise<Plotly>} promise
 * @property {(loaded: Plotly) => void} resolve
 */
/** @typedef {{ views: Set<() => void>, complaints: Set<(words: string) => void>, slot: Slot } & State} Store */

const ENTERED_AGAIN = 2000; // milliseconds

const TYPED = {
  f8: Float64Array, f4: Float32Array, i4: Int32Array, u4: Uint32Array,
  i2: Int16Array, u2: Uint16Array, i1: Int8Array, u1: Uint8Array,
};

// --- decoding ------------------------------------------------------------------------------------------------

/** @param {Packed} packed @param {Buffer[]} buffers */
function typed({ dtype, shape, at }, buffers) {
  const view = buffers[at];
  // Buffers arrive at any byte offset; typed arrays need an aligned start, so each gets memory of its own.
  const bytes = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
  const flat = new TYPED[dtype](bytes);
  if (shape.length === 1) return flat;
  const [rows, columns] = shape;
  return Array.from({ length: rows }, (_, row) => flat.subarray(row * columns, (row + 1) * columns));
}

/** @param {any} value @param {Buffer[]} buffers @returns {any} */
function decode(value, buffers) {
  if (Array.isArray(value)) {
    return value.some((item) => item !== null && typeof item === "object")
      ? value.map((item) => decode(item, buffers))
      : value;
  }
  if (value === null || typeof value !== "object") return value;
  if ("dtype" in value && "at" in value) return typed(value, buffers);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item, buffers)]));
}

/** @param {Values} target @param {Change} change */
function patched(target, { set, drop }) {
  /** @type {Values} */
  const result = { ...target, ...set };
  for (const key of drop) delete result[key];
  return result;
}

// --- plotly.js, once per page --------------------------------------------------------------------------------

/** @param {string} version @returns {Slot} */
function plotlySlot(version) {
  const key = Symbol.for(`semwork.plotly.${version}`);
  const page = /** @type {Record<symbol, Slot | undefined>} */ (globalThis);
  const known = page[key];
  if (known) return known;
  /** @type {(loaded: Plotly) => void} */
  let keep;
  /** @type {Promise<Plotly>} */
  const promise = new Promise((resolve) => {
    keep = resolve;
  });
  const slot = {
    asked: 0,
    ready: false,
    page: Math.random().toString(36).slice(2),
    promise,
    /** @param {Plotly} loaded */
    resolve(loaded) {
      slot.ready = true;
      keep(loaded);
    },
  };
  page[key] = slot;
  document.addEventListener("keydown", goToTheEnd, true); // here, because it has to be once per page, too
  return slot;
}

/** @param {Buffer} view @returns {Promise<Plotly>} */
async function evaluatePlotly(view) {
  const stream = new Blob([view]).stream().pipeThrough(new DecompressionStream("gzip"));
  const source = await new Response(stream).text();
  const module = { exports: /** @type {any} */ ({}) };
  // A CommonJS wrapper, so that neither a page's AMD loader (voila has one) nor a global can get in between.
  new Function("module", "exports", "define", source)(module, module.exports, undefined);
  return module.exports;
}

// The kernel sends plotly.js unasked with its first figure. A page that came later, or was opened again, has to ask.
// A question may wait behind running cells (until the page has a subshell), so it is asked again; the kernel answers
// a page once.
const ASK_AT_MS = [300, 3000, 6000, 15_000, 30_000, 60_000, 120_000];
/** @param {Model} model @param {Slot} slot */
function askForPlotly(model, slot) {
  for (const delay of ASK_AT_MS) {
    setTimeout(() => {
      if (slot.ready || Date.now() - slot.asked < 1000) return;
      slot.asked = Date.now();
      model.send({ kind: "plotly?", page: slot.page });
    }, delay);
  }
}

// --- theme ---------------------------------------------------------------------------------------------------

const isDark = () => document.body.dataset.jpThemeLight === "false";

/** @param {Values} template @param {boolean} dark @param {boolean} opaque */
function themedTemplate(template, dark, opaque) {
  const ink = dark ? "#e4e4e4" : "#262626";
  const axis = { gridcolor: dark ? "#3b3b3b" : "#e4e4e4", zerolinecolor: dark ? "#5c5c5c" : "#bdbdbd", linecolor: ink };
  const base = template.layout ?? {};
  /** @type {string[]} */
  const given = base.colorway ?? [];
  const colorway = given.map((colour) => (dark && colour === "#000000" ? "#ffffff" : colour));
  const background = dark ? "#111111" : "#ffffff";
  return {
    ...template,
    layout: {
      ...base,
      ...(colorway.length ? { colorway } : {}),
      font: { ...base.font, color: ink },
      xaxis: { ...base.xaxis, ...axis },
      yaxis: { ...base.yaxis, ...axis },
      hoverlabel: { ...base.hoverlabel, bgcolor: dark ? "#2a2a2a" : "#ffffff", font: { color: ink } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: dark ? "#9a9a9a" : "#9e9e9e", activecolor: ink },
      paper_bgcolor: opaque ? background : "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
    },
  };
}

// A copy, because plotly writes a reader's zoom into the layout. Plotly never writes into arrays of data, and takes
// another array for other data, with all axes drawn anew: those stay the same.
const DATA_ARRAYS = new Set(["tickvals", "ticktext", "categoryarray"]);
/** @param {any} value @returns {any} */
function copied(value) {
  if (Array.isArray(value)) return value.map(copied);
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, DATA_ARRAYS.has(key) ? item : copied(item)]),
  );
}

// Plotly draws everything anew when the template is another object, so each figure keeps the one it was drawn with.
/**
 * @param {Values} layout @param {boolean} dark @param {boolean} opaque
 * @param {{ key?: string, template?: Values }} kept
 */
function themed(layout, dark, opaque, kept = {}) {
  const key = JSON.stringify([layout.template ?? {}, dark]);
  if (kept.key !== key) Object.assign(kept, { key, template: themedTemplate(layout.template ?? {}, dark, opaque) });
  return { ...copied({ ...layout, template: undefined }), template: kept.template };
}

// --- fitting the width -----------------------------------------------------------------------------------------

const LINE = 1.3; // plotly's height of a line, in parts of its font
const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));

/** @param {string} text @param {Font} font */
function textWidth(text, { family, size, bold }) {
  ruler.font = `${bold ? "bold " : ""}${size}px ${family}`;
  return ruler.measureText(text.replace(/&[^;\s]+;/g, "m")).width;
}

// The font inside a tag of plotly's.
/** @param {string} tag @param {Font} font @returns {Font} */
function inside(tag, font) {
  const size = tag.match(/font-size: *([\d.]+)px/)?.[1];
  if (size) return { ...font, size: Number(size) };
  if (/^<su[bp]\b/.test(tag)) return { ...font, size: font.size * 0.7 };
  return /^<b\b/.test(tag) ? { ...font, bold: true } : font;
}

// A line that is too long goes on in the next one. The space stays before the break, so that the text reads the same.
/** @param {string} text @param {Font} font @param {number} room */
function wrapped(text, font, room) {
  const fonts = [font];
  let used = 0;
  return text.replace(/<[^>]*>|[^<\s]+\s*|\s+/g, (part) => {
    if (part === "<br>") used = 0;
    else if (part.startsWith("</")) fonts.length > 1 && fonts.pop();
    else if (part.startsWith("<")) fonts.push(inside(part, fonts.at(-1) ?? font));
    else {
      const now = fonts.at(-1) ?? font;
      const fits = used + textWidth(part.trimEnd(), now) <= room || !used;
      used = (fits ? used : 0) + textWidth(part, now);
      return fits ? part : `<br>${part}`;
    }
    return part;
  });
}

// Plotly cuts a title that is wider than the figure. In lines it is higher, and the figure grows by as much.
/** @param {Values} layout @param {number} width @returns {Values} */
function fitted(layout, width) {
  const base = layout.template?.layout ?? {};
  const text = layout.title?.text;
  if (!text || !width) return layout;
  const font = { ...base.font, ...layout.font, ...base.title?.font, ...layout.title.font };
  const lines = wrapped(text, font, width - 2 * (layout.title.pad?.l ?? base.title?.pad?.l ?? 0));
  const more = (lines.split("<br>").length - text.split("<br>").length) * LINE * font.size;
  if (!more) return layout;
  const top = layout.margin?.t ?? base.margin?.t ?? 100;
  const height = (layout.height ?? 400) + more;
  const title = { ...layout.title, text: lines, y: 1 - top / 2 / height, yref: "container", yanchor: "middle" };
  return { ...layout, height, margin: { ...layout.margin, t: top + more }, title };
}

// --- saving to the reader's disk -----------------------------------------------------------------------------

/** @param {string} name @param {BlobPart[]} parts @param {string} type */
function saveFile(name, parts, type) {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * @param {Plotly} Plotly @param {Store} store
 * @param {{ name: string, format: string, width: number, height: number }} how
 */
async function saveImage(Plotly, store, { name, format, width, height }) {
  const layout = fitted(themed(store.layout, isDark(), true), width);
  const picture = { data: store.data.map((trace) => ({ ...trace })), layout };
  const url = await Plotly.toImage(picture, { format, width, height, scale: 2 });
  const blob = await (await fetch(url)).blob();
  saveFile(name, [blob], blob.type);
}

/** @param {string} text */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Not allowed here (no permission, no secure context): the panel shows the text, ready to be selected.
    return false;
  }
  return true;
}

// --- the static picture below a live figure ------------------------------------------------------------------

const STATIC_MARK = "semwork static picture";

/** @param {Element | null} output @returns {output is HTMLElement} */
function isStaticPicture(output) {
  const image = output?.querySelector('img[src^="data:image/png;base64,"]');
  if (!image) return false;
  const start = (image.getAttribute("src") ?? "").slice(22, 22 + 600).replace(/\s/g, "");
  try {
    return atob(start.slice(0, 400)).includes(STATIC_MARK);
  } catch {
    return false;
  }
}

// The picture that is saved with the notebook comes in the output just after the widget's. While the figure is alive
// it would be a second, frozen copy: hide it, whenever it arrives. The mark inside the PNG makes sure that it is ours.
/** @param {Element} el */
function hideStaticPicture(el) {
  const own = el.closest(".jp-OutputArea-child");
  if (!own?.parentElement) return () => {};
  const look = () => {
    const next = own.nextElementSibling;
    if (isStaticPicture(next)) next.style.display = "none";
  };
  const watch = new MutationObserver(look);
  watch.observe(own.parentElement, { childList: true, subtree: true });
  look();
  return () => watch.disconnect();
}

// --- sliders whose range has changed ---------------------------------------------------------------------------

// The End key takes noUiSlider 15.4 to where the range ended when the slider was made, as to 0 in one that grows with
// a run. Its own handler has to be over first.
/** @param {KeyboardEvent} event */
function goToTheEnd(event) {
  const handle = event.target;
  if (event.key !== "End" || !(handle instanceof Element && handle.matches(".semwork-panel .noUi-handle"))) return;
  const slider = /** @type {any} */ (handle.closest(".noUi-target")).noUiSlider;
  setTimeout(() => Number(slider.get()) !== slider.options.range.max && slider.set(slider.options.range.max));
}

// --- anywidget hooks -----------------------------------------------------------------------------------------

/** @type {Map<string, Store>} one per model, shared by all its views; anywidget gives no common object for that */
const stores = new Map();
const POINTS = ["plotly_click", "plotly_hover", "plotly_selected"];

/** @param {Values} p  one of plotly's points */
function point(p) {
  return {
    trace: p.curveNumber, index: p.pointIndex ?? p.pointNumber, name: p.data?.name ?? null,
    x: p.x ?? null, y: p.y ?? null, z: p.z ?? null, customdata: p.customdata ?? null,
  };
}

/** @param {{ model: Model }} props */
function initialize({ model }) {
  const slot = plotlySlot(model.get("_plotly_version"));
  /** @type {Store} */
  const store = {
    views: new Set(), complaints: new Set(), slot, revision: -1, alt: "", data: [], layout: {}, config: {},
  };
  /** @param {State} state @param {Buffer[]} buffers */
  const replace = (state, buffers) => Object.assign(store, decode(state, buffers));
  const initial = model.get("_figure");
  replace(initial.state, initial.buffers);

  model.on("msg:custom", async (message, views) => {
    const buffers = /** @type {Buffer[]} */ (views);
    if (message.kind === "plotly") {
      try {
        if (!slot.ready) slot.resolve(await evaluatePlotly(buffers[0]));
      } catch (error) {
        store.complaints.forEach((complain) => complain(`plotly.js could not be started in this page: ${error}`));
      }
    } else if (message.kind === "figure") {
      if (message.state.revision <= store.revision) return;
      replace(message.state, buffers);
      store.views.forEach((draw) => draw());
    } else if (message.kind === "patch") {
      if (message.revision <= store.revision) return;
      if (message.revision !== store.revision + 1) {
        model.send({ kind: "hello", revision: store.revision }); // missed one: ask for the whole figure
        return;
      }
      /** @type {{ data: (Change | null)[], layout: Change }} */
      const patch = decode({ data: message.data, layout: message.layout }, buffers);
      store.data = patch.data.map((change, i) => {
        const trace = store.data[i] ?? {};
        return change === null ? trace : patched(trace, change);
      });
      store.layout = patched(store.layout, patch.layout);
      store.revision = message.revision;
      store.alt = message.alt;
      store.views.forEach((draw) => draw());
    } else if (message.kind === "save") {
      saveFile(message.name, buffers, message.type);
    } else if (message.kind === "image") {
      await saveImage(await slot.promise, store, message);
    } else if (message.kind === "copy") {
      model.send({ kind: "copied", ok: await copyText(message.text) });
    }
  });
  model.send({ kind: "hello", revision: store.revision }); // whatever was sent while this page was not listening
  stores.set(model.get("_id"), store);
  return () => stores.delete(model.get("_id"));
}

/** @param {{ model: Model, el: HTMLElement }} props */
function render({ model, el }) {
  const store = /** @type {Store} */ (stores.get(model.get("_id")));
  const div = /** @type {Plot} */ (document.createElement("div"));
  div.className = "semwork-figure";
  div.tabIndex = 0;
  div.setAttribute("role", "img");
  el.classList.add("semwork-live");
  el.append(div);
  /** @type {Plotly | null} */
  let Plotly = null;
  let drawn = false;
  let drawing = false;
  let wanted = false;
  const template = {};
  let stopHiding = () => {};

  const events = () => new Set(model.get("_events"));
  // Shapes can be moved where Python wants to know of it. Decided once: plotly forgets its listeners on a new config.
  const config = { ...store.config, edits: { shapePosition: events().has("plotly_relayout") } };
  let last = 0;
  const entered = () => {
    if (Date.now() - last < ENTERED_AGAIN || !events().has("entered")) return;
    last = Date.now();
    model.send({ kind: "event", name: "entered", points: [] });
  };
  const listen = () => {
    for (const name of POINTS) {
      div.on(name, (event) => {
        /** @type {Values[]} */
        const points = event?.points ?? [];
        if (events().has(name)) model.send({ kind: "event", name, points: points.map(point) });
      });
    }
    div.on("plotly_relayout", (changes) => {
      if (events().has("plotly_relayout")) model.send({ kind: "event", name: "plotly_relayout", changes });
    });
    // Where a reader comes back from another notebook, lists of the panel may have become longer.
    const around = el.closest(".semwork-panel") ?? el;
    for (const name of ["pointerenter", "focusin"]) around.addEventListener(name, entered);
  };

  // Draw the newest state; messages that come in while plotly is busy are drawn together, once.
  const draw = async () => {
    wanted = true;
    if (drawing || !Plotly) return;
    if (!div.clientWidth) {
      // Hidden. If that lasts, the resize observer draws when it ends; if it is over within a frame (Lab hides the
      // page while it changes the theme), the observer sees nothing, so look once more.
      setTimeout(() => wanted && div.clientWidth && draw(), 300);
      return;
    }
    drawing = true;
    try {
      while (wanted) {
        wanted = false;
        const { revision } = store;
        const width = store.layout.width ?? div.clientWidth;
        /** @type {Values} */
        const layout = { ...fitted(themed(store.layout, isDark(), false, template), width), autosize: true };
        const data = store.data.map((trace) => ({ ...trace }));
        // What a screen reader says: the words of the kernel, then the title without its marks.
        const title = (store.layout.title?.text ?? "").replace(/<[^>]*>/g, " ");
        div.setAttribute("aria-label", [store.alt, title].filter(Boolean).join(". ") || "figure");
        div.style.height = `${layout.height ?? 400}px`;
        await Plotly.react(div, data, layout, config);
        if (!drawn) {
          drawn = true;
          listen();
          stopHiding = hideStaticPicture(el);
        }
        div.dataset.revision = String(revision);
        div.dataset.theme = isDark() ? "dark" : "light";
      }
    } finally {
      drawing = false;
    }
  };

  // Shown in place of an empty box.
  /** @param {string} words */
  const complain = (words) => {
    div.textContent = words;
    div.setAttribute("role", "alert");
  };
  store.complaints.add(complain);
  store.views.add(draw);
  const resized = new ResizeObserver(() => {
    if (!div.clientWidth || !Plotly) return;
    // Wanted is what came in while the figure was hidden.
    if (wanted || Math.abs((div._fullLayout?.width ?? 0) - div.clientWidth) > 1) draw();
  });
  resized.observe(div);
  const rethemed = new MutationObserver(() => {
    if (drawn && div.dataset.theme !== (isDark() ? "dark" : "light")) draw();
  });
  rethemed.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });

  askForPlotly(model, store.slot);
  store.slot.promise.then((loaded) => {
    Plotly = loaded;
    draw();
  });
  return () => {
    store.views.delete(draw);
    store.complaints.delete(complain);
    resized.disconnect();
    rethemed.disconnect();
    stopHiding();
    if (drawn) Plotly?.purge(div);
  };
}

export default /** @satisfies {import("@anywidget/types").AnyWidget} */ ({ initialize, render });
