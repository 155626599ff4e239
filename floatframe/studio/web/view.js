"use strict";
// Between a scene and the page around it: which node was clicked, which moment is shown, marks on nodes, and frames of a
// run that are added while it is computed. Runs behind the script of the scene, whose names it uses.

(function () {
  const ready = setInterval(() => { if (window.floatframe) { clearInterval(ready); begin(window.floatframe); } }, 20);

  function begin({ viewer, state, go }) {
    const scene = viewer.scene, canvas = viewer.canvas, query = new URLSearchParams(location.search);
    const place = location.pathname.split("/").pop();
    const tell = (what) => window.parent.postMessage({ floatframe: place, ...what }, location.origin);
    const mine = (event) => event.origin === location.origin && event.source === window.parent;
    let marks = [], sent = null;

    // where drawn points are now, in the axes of the world: all of a part, or some
    function positions(part, some) {
      const carrier = viewer.carriers[part.carrier], array = scene.array;
      const points = array(part.points), anchor = array(part.anchor), arm = array(part.arm);
      const count = some ? some.length : points.length / 3;
      const found = new Float32Array(3 * count), m = carrier.pose, f = carrier.factor || 0, field = carrier.data;
      for (let at = 0; at < count; at++) {
        const node = some ? some[at] : at, k = 3 * node;
        let [x, y, z] = [points[k], points[k + 1], points[k + 2]];
        if (anchor && f) {
          const n = 8 * anchor[node];
          x += f * field[n]; y += f * field[n + 1]; z += f * field[n + 2];
          if (arm) {
            const [a, b, c] = [arm[k], arm[k + 1], arm[k + 2]], [p, q, r] = [field[n + 4], field[n + 5], field[n + 6]];
            x += f * (q * c - r * b); y += f * (r * a - p * c); z += f * (p * b - q * a);
          }
        }
        for (let i = 0; i < 3; i++) found[3 * at + i] = m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i];
      }
      return found;
    }

    // pixels and depth of points
    function projected(points) {
      const s = viewer.seen, w = canvas.clientWidth / 2, h = canvas.clientHeight / 2, found = new Float32Array(points.length);
      for (let k = 0; k < points.length; k += 3) {
        const [x, y, z] = [points[k], points[k + 1], points[k + 2]];
        found[k] = (s[0] * x + s[4] * y + s[8] * z + s[12] + 1) * w;
        found[k + 1] = (1 - (s[1] * x + s[5] * y + s[9] * z + s[13])) * h;
        found[k + 2] = s[2] * x + s[6] * y + s[10] * z + s[14];
      }
      return found;
    }

    // the drawn point that is nearest to a pixel on the nearest face below it, else the nearest point within reach
    function pick(px, py) {
      let best = null, depth = Infinity, near = 15 * 15, loose = null;
      scene.parts.forEach((part, number) => {
        if (part.mark && !viewer.show.marks) return;
        const at = projected(positions(part)), faces = scene.array(part.faces);
        const far = (k) => (at[3 * k] - px) ** 2 + (at[3 * k + 1] - py) ** 2;
        for (let t = 0; faces && t < faces.length; t += 3) {
          const [a, b, c] = [faces[t], faces[t + 1], faces[t + 2]];
          const [ax, ay, bx, by, cx, cy] = [at[3 * a], at[3 * a + 1], at[3 * b], at[3 * b + 1], at[3 * c], at[3 * c + 1]];
          const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
          if (!area) continue;
          const u = ((px - ax) * (cy - ay) - (cx - ax) * (py - ay)) / area, v = ((bx - ax) * (py - ay) - (px - ax) * (by - ay)) / area;
          if (u < 0 || v < 0 || u + v > 1) continue;
          const z = at[3 * a + 2] + u * (at[3 * b + 2] - at[3 * a + 2]) + v * (at[3 * c + 2] - at[3 * a + 2]);
          if (z >= depth) continue;
          depth = z;
          best = { part: number, point: [a, b, c].sort((i, j) => far(i) - far(j))[0], corners: [a, b, c] };
        }
        for (let k = 0; k < at.length / 3; k++) if (far(k) < near) { near = far(k); loose = { part: number, point: k, corners: [k] }; }
      });
      return best || loose;
    }

    // words [{part, point, text, wrong}] are boxed labels that stay on their points, dots are [part, point]; sides and
    // those that are wrong are lines [part, point, part, point]: all are seen through what is before them
    const lines = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    lines.id = "lines";
    lines.innerHTML = '<path class="wrong"/><path class="picked"/><path class="dots"/>';
    $("labels").before(lines);
    let sides = { wrong: [], picked: [], dots: [] };
    function setMarks(wanted) {
      for (const mark of marks) mark.node.remove();
      sides = { wrong: wanted.wrong || [], picked: wanted.sides || [], dots: (wanted.dots || []).map((at) => [...at, ...at]) };
      marks = (wanted.words || []).filter((mark) => scene.parts[mark.part]).map((mark) => {
        const node = document.createElement("span");
        node.className = mark.wrong ? "mark wrong" : "mark";
        node.textContent = mark.text;
        $("labels").appendChild(node);
        return { ...mark, node };
      });
      placeMarks();
    }
    // pixels of pairs [part, point], each part looked at once
    function pixels(pairs) {
      const found = new Float32Array(2 * pairs.length), byPart = new Map();
      pairs.forEach(([part], k) => { if (scene.parts[part]) byPart.has(part) ? byPart.get(part).push(k) : byPart.set(part, [k]); });
      for (const [part, rows] of byPart) {
        const at = projected(positions(scene.parts[part], rows.map((k) => pairs[k][1])));
        rows.forEach((k, i) => { found[2 * k] = at[3 * i]; found[2 * k + 1] = at[3 * i + 1]; });
      }
      return found;
    }
    function placeMarks() {
      if (!viewer.seen) return;
      const at = pixels(marks.map((mark) => [mark.part, mark.point]));
      marks.forEach((mark, k) => putLabel(canvas, mark.node, [at[2 * k], at[2 * k + 1]]));
      for (const kind of Object.keys(sides)) {
        const ends = pixels(sides[kind].flatMap(([a, b, c, d]) => [[a, b], [c, d]])), words = [];
        for (let k = 0; k < ends.length; k += 4) words.push(`M${ends[k].toFixed(1)} ${ends[k + 1].toFixed(1)}L${ends[k + 2].toFixed(1)} ${ends[k + 3].toFixed(1)}`);
        lines.querySelector(`.${kind}`).setAttribute("d", words.join(""));
      }
    }

    // dark things are seen on the dark ground too
    const brighter = ([r, g, b, a]) => (Math.max(r, g, b) < 0.4 ? [r + 0.25, g + 0.25, b + 0.25, a] : [r, g, b, a]);

    let from = null;
    canvas.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
    canvas.addEventListener("pointerup", (event) => {
      if (!from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 4 || event.button) return;
      const box = canvas.getBoundingClientRect(), began = performance.now();
      const found = pick(event.clientX - box.left, event.clientY - box.top);
      if (found) tell({ picked: found, took: performance.now() - began });
    });

    window.addEventListener("message", (event) => {
      if (!mine(event)) return;
      const { marks: wanted, time, mode, playing, dark } = event.data;
      if (wanted) setMarks(wanted);
      if (time !== undefined && viewer.history) {
        const t = viewer.history.t;
        go((time - t[0]) / (t[t.length - 1] - t[0] || 1));
      }
      if (mode !== undefined) window.floatframe.choose(mode);
      if (dark !== undefined) {
        document.body.classList.toggle("dark", dark);
        viewer.paper = dark ? [0.106, 0.114, 0.125] : [1, 1, 1];
        viewer.parts.forEach((part, k) => { part.color = dark ? brighter(scene.parts[k].color) : scene.parts[k].color; });
        state.dirty = true;
      }
      if (playing !== undefined) window.floatframe.play(playing);
    });

    // frames that are computed meanwhile; shapes are not sent again
    function append(frames) {
      if (!viewer.history || !frames.t.length) return;
      const joined = (old, more) => { const all = new Float32Array(old.length + more.length); all.set(old); all.set(more, old.length); return all; };
      const atEnd = !state.playing;
      viewer.history.t.push(...frames.t);
      viewer.history.pose = joined(viewer.history.pose, frames.pose);
      viewer.history.amplitude = viewer.history.amplitude.map((old, k) => joined(old, frames.amplitude[k]));
      const t = viewer.history.t;
      scene.clips[viewer.clip].seconds = Math.max(1, t[t.length - 1] - t[0]);
      if (atEnd) go(1);
    }
    async function follow() {
      const shown = viewer.history ? viewer.history.t.length : 0;
      try {
        const answer = await fetch(`../frames/${place}?first=${shown}&number=${query.get("number")}`);
        if (!answer.ok) return;
        const { frames, running } = await answer.json();
        append(frames);
        if (running) setTimeout(follow, 500);
      } catch (error) { return; } // the server has ended
    }
    if (query.get("live")) { window.floatframe.play(false); go(1); follow(); }

    // the camera that the user chose stays when the same thing is drawn again, as after an edit
    const camera = ["focus", "away", "up", "span"], remembered = `camera of ${place}: ${scene.title}`;
    try { Object.assign(viewer, JSON.parse(sessionStorage.getItem(remembered) || "{}")); } catch (error) { viewer.fit(); }
    const remember = () => sessionStorage.setItem(remembered, JSON.stringify(Object.fromEntries(camera.map((k) => [k, viewer[k]]))));
    for (const kind of ["pointerup", "wheel"]) canvas.addEventListener(kind, remember);
    $("fit").addEventListener("click", () => sessionStorage.removeItem(remembered));
    state.dirty = true;

    let placed = -1;
    (function watch() {
      if (state.frames !== placed) { placed = state.frames; placeMarks(); }
      if (viewer.history && viewer.time !== sent) { sent = viewer.time; tell({ time: sent }); }
      requestAnimationFrame(watch);
    })();
    window.floatframe.pick = pick;
    window.floatframe.append = append;
    tell({ ready: true });
  }
})();
