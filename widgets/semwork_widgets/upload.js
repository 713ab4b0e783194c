// A place to drop a file, which goes to the kernel in pieces: one message with all of it would drop the connection.
//
// The kernel asks for each piece, so that no more than one is ever on its way, whatever else the kernel does.

/** @typedef {import("@anywidget/types").AnyModel} Model */
/** @typedef {{ kind: "more", upload: string, from: number } | { kind: "end", upload: string }} Told */

const PIECE = 1 << 19;

/** @param {{ model: Model, el: HTMLElement }} given */
function render({ model, el }) {
  const label = document.createElement("label");
  label.className = "semwork-drop";
  const input = document.createElement("input");
  input.type = "file";
  input.accept = model.get("_accept");
  const words = document.createElement("span");
  label.append(input, words);
  el.append(label);

  /** @type {File | null} */
  let sending = null;
  let upload = "";

  const show = () => { words.textContent = model.get("_words"); };

  /** @param {File | undefined} file */
  function begin(file) {
    if (!file) return;
    sending = file;
    upload = `${Date.now()}-${file.name.length}-${file.size}`;
    model.send({ kind: "begin", upload, name: file.name, size: file.size });
  }

  /** @param {Told} told */
  async function answer(told) {
    if (told.upload !== upload || sending === null) return;
    if (told.kind === "end") {
      sending = null;
      input.value = "";  // the same file may be chosen again
      return;
    }
    const file = sending;
    try {
      const piece = await file.slice(told.from, told.from + PIECE).arrayBuffer();
      if (sending === file) model.send({ kind: "piece", upload, from: told.from }, undefined, [piece]);
    } catch (error) {
      model.send({ kind: "failed", upload, words: String(error) });
    }
  }

  const chosen = () => begin(input.files?.[0]);
  /** @param {DragEvent} event */
  const over = (event) => {
    event.preventDefault();
    event.stopPropagation();
    label.classList.add("semwork-drop-over");
  };
  const away = () => label.classList.remove("semwork-drop-over");
  /** @param {DragEvent} event */
  const dropped = (event) => {
    event.preventDefault();
    event.stopPropagation();  // JupyterLab would open the file
    away();
    begin(event.dataTransfer?.files[0]);
  };

  input.addEventListener("change", chosen);
  label.addEventListener("dragover", over);
  label.addEventListener("dragleave", away);
  label.addEventListener("drop", dropped);
  model.on("change:_words", show);
  model.on("msg:custom", answer);
  show();
  return () => {
    model.off("change:_words", show);
    model.off("msg:custom", answer);
  };
}

export default { render };
