"use strict";
// What the pages of Studio do beside the server: messages of views, one moment in views and plots, files dropped in, keys.

(function () {
  const frames = () => [...document.querySelectorAll("iframe[data-view]")];
  const marks = {}; // by place, until the view is there

  const send = (place, message) => frames().filter((f) => !place || f.dataset.view === place)
    .forEach((f) => f.contentWindow && f.contentWindow.postMessage(message, location.origin));

  window.addEventListener("message", (event) => {
    const data = event.data;
    if (event.origin !== location.origin || !data || typeof data.floatframe !== "string") return;
    if (data.picked) trame.trigger("view_picked", [data.floatframe, data.picked.part, data.picked.point, data.picked.corners]);
    if (data.time !== undefined) cursors(data.floatframe, data.time);
    if (data.ready) event.source.document.addEventListener("keydown", pressed);
    if (data.ready) send(data.floatframe, { dark: !!trame.state.get("dark") });
    if (data.ready && marks[data.floatframe]) send(data.floatframe, { marks: marks[data.floatframe] });
  });

  // a line in every plot over time at the moment that the view of its page shows
  function cursors(place, time) {
    const view = frames().find((f) => f.dataset.view === place), page = view && view.closest("[data-page]");
    for (const plot of page ? page.querySelectorAll(".over-time .js-plotly-plot") : []) {
      const axis = plot._fullLayout && plot._fullLayout.xaxis;
      if (!axis || !axis.l2p) continue;
      let line = plot.querySelector(".moment");
      if (!line) {
        line = document.createElement("div");
        line.className = "moment";
        plot.style.position = "relative";
        plot.appendChild(line);
        plot.on("plotly_click", (event) => plot.closest(".over-time") && studio.goTo(event.points[0].x)); // not a spectrum
      }
      const x = axis.l2p(time), size = plot._fullLayout._size;
      line.dataset.time = time;
      Object.assign(line.style, {
        visibility: x >= 0 && x <= axis._length ? "visible" : "hidden", left: `${axis._offset + x}px`,
        top: `${size.t}px`, height: `${size.h}px`,
      });
    }
  }

  async function upload(files) {
    for (const file of files) {
      const answer = await fetch(`upload?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file, headers: { "X-Floatframe": "1" } });
      trame.trigger("uploaded", [file.name, answer.ok, answer.ok ? "" : await answer.text()]);
    }
  }
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length) upload(event.dataTransfer.files);
  });
  // Alt+1 to Alt+7 choose a page, Ctrl+S saves the machine with what is being typed; also while a view has the keyboard
  function pressed(event) {
    const page = event.altKey && /^Digit[1-7]$/.test(event.code), save = event.ctrlKey && event.key === "s";
    if (!page && !save) return;
    event.preventDefault();
    if (page) trame.state.set("page", ["project", "fe", "reduce", "machine", "analyse", "sweep", "results"][event.code.slice(5) - 1]);
    const typed = document.activeElement;
    if (save && typed) { typed.blur(); typed.focus(); } // a field says that it has changed when it is left
    if (save) trame.trigger("save_key", []);
  }
  document.addEventListener("keydown", pressed);

  // trame holds back what was typed while it waits for an answer, but not a click: what was typed must arrive first
  function sendEntries() {
    const keys = [...trame.state.dirtyKeys];
    if (!keys.length || !trame.client.isConnected()) return;
    trame.state.dirtyKeys.clear();
    trame.client.getRemote().Trame.updateState(keys.map((key) => ({ key, value: trame.state.get(key) })));
  }

  // the theme of views, and what the server wants to be seen in views: marks on nodes by place
  const ready = setInterval(() => {
    if (!window.trame || !trame.state) return;
    clearInterval(ready);
    // trame sends calls without arguments before earlier ones that have some: a save would overtake what was typed
    trame.trigger = (name, given = [], named = {}) => { sendEntries(); return trame.client.getRemote().Trame.trigger(name, given || [], named || {}); };
    trame.state.watch(["dark"], (dark) => send("", { dark: !!dark }));
    trame.state.watch(["marks"], (wanted) => {
      for (const [place, list] of Object.entries(wanted || {})) studio.mark(place, list);
    });
  }, 50);

  window.studio = {
    goTo: (time) => send("", { time }),
    mode: (place, mode) => send(place, { mode }),
    mark: (place, wanted) => { marks[place] = wanted; send(place, { marks: wanted }); },
    copy: (text) => navigator.clipboard.writeText(text),
    upload,
  };
})();
