"use strict";
// A scene in the browser. Points are moved by the vertex shader: it finds the motion of a point's node in a texture, so
// that a model of any size costs a handful of numbers per frame.

const POINTS = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
layout(location = 0) in vec3 point;
layout(location = 1) in float anchor;
layout(location = 2) in vec3 arm;
layout(location = 3) in float far;
layout(location = 4) in float share;
layout(location = 5) in float own;  // share of the last colour, of points that bring it
uniform sampler2D field;   // two texels for each node: displacement and value, rotation
uniform int width;         // texels in a row
uniform mat4 pose, camera;
uniform float factor;      // magnification of the field, changing with time
uniform float top;         // the number that has the last colour
uniform float lift;        // towards the eye, so that lines are seen on their faces
uniform int colouring;     // 0 none, 1 length of the field, 2 value in the field, 3 of the points
out vec3 place;
out float value;
vec4 texel(int k) { return texelFetch(field, ivec2(k % width, k / width), 0); }
void main() {
  vec3 motion = vec3(0.0);
  float given = 0.0;
  if (anchor >= 0.0) {
    int node = int(anchor + 0.5);
    vec4 shift = texel(2 * node);
    motion = shift.xyz + cross(texel(2 * node + 1).xyz, arm);
    given = shift.w;
    if (share > 0.0) motion = mix(motion, far >= 0.0 ? texel(2 * int(far + 0.5)).xyz : vec3(0.0), share);
  }
  vec4 now = pose * vec4(point + factor * motion, 1.0);
  value = colouring == 3 ? own : (colouring == 2 ? given : length(motion)) / top;
  gl_Position = camera * now;
  gl_Position.z -= lift;
  place = now.xyz;
}`;

const COLOURS = `#version 300 es
precision highp float;
precision highp int;
in vec3 place;
in float value;
uniform sampler2D palette;
uniform vec4 plain;
uniform int colouring;
uniform bool lit;
uniform vec3 eye, key, fill;   // directions towards the eye and two lights
out vec4 colour;
void main() {
  bool coloured = colouring > 0 && value == value;
  vec3 base = coloured ? texture(palette, vec2(clamp(value, 0.002, 0.998), 0.5)).rgb : plain.rgb;
  if (lit) {
    vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
    if (dot(normal, eye) < 0.0) normal = -normal;
    float light = 0.55 * max(dot(normal, key), 0.0) + 0.30 * max(dot(normal, fill), 0.0);
    base *= coloured ? 0.75 + 0.35 * light : 0.30 + light;   // colours that are numbers stay those of the bar
  }
  colour = vec4(base, plain.a);
}`;

const $ = (id) => document.getElementById(id);

const SMOOTH = 50, COARSE = 0.6; // ms between frames, and the share of pixels across where there are more

// small vectors and column-major matrices
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const unit = (a) => { const n = Math.hypot(...a) || 1; return a.map((x) => x / n); };
const about = (v, axis, angle) => {
  const c = Math.cos(angle), s = Math.sin(angle), w = cross(axis, v), d = dot(axis, v) * (1 - c);
  return v.map((x, i) => x * c + w[i] * s + axis[i] * d);
};
const matrix = (p, at = 0) => // from rows (3, 4)
  new Float32Array([p[at], p[at + 4], p[at + 8], 0, p[at + 1], p[at + 5], p[at + 9], 0,
    p[at + 2], p[at + 6], p[at + 10], 0, p[at + 3], p[at + 7], p[at + 11], 1]);

async function unpack(text) {
  const coded = atob(text.trim());
  const bytes = new Uint8Array(coded.length);
  for (let k = 0; k < coded.length; k++) bytes[k] = coded.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const buffer = await new Response(stream).arrayBuffer();
  const length = new DataView(buffer).getUint32(0, true);
  const scene = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const kinds = { f4: Float32Array, u4: Uint32Array, i2: Int16Array, u1: Uint8Array };
  const start = 4 + length + (-length & 3);
  scene.array = (ref) => ref && new kinds[ref.kind](buffer, start + ref.at, ref.count);
  return scene;
}

class Viewer {
  constructor(canvas, scene) {
    this.canvas = canvas;
    this.scene = scene;
    // opaque: a canvas with holes would let the white of the page wash out what can be seen through
    // smooth edges cost a browser without a graphics processor most of its time; many small faces do well without
    const antialias = scene.parts.reduce((sum, p) => sum + (p.faces ? p.faces.count / 3 : 0), 0) < 50000;
    const gl = canvas.getContext("webgl2", { alpha: false, antialias, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser has no WebGL 2; please use a current one");
    this.gl = gl;
    this.program = this.compile();
    this.palette = this.texture(gl.RGB8, 256, 1, gl.RGB, gl.UNSIGNED_BYTE, Uint8Array.from(scene.palette), gl.LINEAR);
    this.carriers = scene.carriers.map((c) => this.carrier(c));
    this.parts = scene.parts.map((p) => this.part(p));
    this.clip = 0;
    this.moment = 0;
    // of a run the magnification of deformations, of a mode a factor to the amplitude it was drawn with at first
    const run = scene.clips.find((clip) => clip.kind === "history");
    this.amplitude = run ? run.scale : 1;
    this.fineness = 1; // of its pixels
    this.paper = [1, 1, 1]; // the colour behind everything
    // pixels of the canvas that the title takes at the top, the colour bar at the bottom or at the right
    this.above = this.below = this.beside = 0;
    this.show = { ghost: true, edges: true, marks: true };
    this.choose(0);
    this.fit();
  }

  compile() {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, POINTS], [gl.FRAGMENT_SHADER, COLOURS]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    this.at = {};
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
      const name = gl.getActiveUniform(program, k).name;
      this.at[name] = gl.getUniformLocation(program, name);
    }
    return program;
  }

  texture(inner, width, height, format, type, data, filter) {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, inner, width, height, 0, format, type, data);
    for (const p of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, p, filter);
    for (const p of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, p, gl.CLAMP_TO_EDGE);
    return texture;
  }

  carrier(c) {
    const gl = this.gl, width = Math.min(2048, Math.max(2, 2 * c.nodes)), height = Math.max(1, Math.ceil((2 * c.nodes) / width));
    const data = new Float32Array(4 * width * height);
    const texture = this.texture(gl.RGBA32F, width, height, gl.RGBA, gl.FLOAT, data, gl.NEAREST);
    return { ...c, width, height, data, texture, coded: this.scene.array(c.shapes), rest: matrix(c.pose) };
  }

  part(p) {
    const gl = this.gl, array = this.scene.array, vertices = gl.createVertexArray();
    gl.bindVertexArray(vertices);
    const attribute = (location, data, size, fallback) => {
      if (!data) { if (size === 1) this.constants.push([location, fallback]); return; }
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
    };
    this.constants = [];
    attribute(0, array(p.points), 3);
    attribute(1, array(p.anchor), 1, -1);
    attribute(2, array(p.arm), 3);
    attribute(3, array(p.far), 1, -1);
    attribute(4, array(p.share), 1, 0);
    const constants = this.constants;
    const indices = (ref) => {
      if (!ref || !ref.count) return null;
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, array(ref), gl.STATIC_DRAW);
      return { buffer, count: ref.count };
    };
    return { ...p, vertices, constants, faces: indices(p.faces), lines: indices(p.lines), edges: indices(p.edges), ghost: indices(p.ghost) };
  }

  // motion

  choose(k) {
    const clips = this.scene.clips;
    this.clip = Math.max(0, Math.min(k, clips.length - 1));
    const clip = clips[this.clip];
    this.values = clip ? clip.values.map((ref) => this.scene.array(ref)) : [];
    this.parts.forEach((part, n) => this.colourPoints(part, clip && clip.own ? this.scene.array(clip.own[n]) : null));
    // one shape per carrier and no change of pose: the field stays, only its factor changes
    this.single = !!clip && clip.kind === "harmonic" && !clip.pose && clip.amplitude.every((a) => a.filter((z) => z[0] || z[1]).length < 2
      && a.every((z) => !z[1]));
    this.carriers.forEach((carrier) => { carrier.present = null; });
    this.history = clip && clip.kind === "history" && { t: clip.t, pose: this.scene.array(clip.pose),
      amplitude: clip.amplitude.map((ref) => this.scene.array(ref)) };
    this.place();
  }

  // give a part the colours of its points: bytes, 0 to 255 for 0 to the top; none where the field gives them
  colourPoints(part, bytes) {
    const gl = this.gl;
    part.own = !!bytes;
    if (!bytes) return;
    part.bytes = part.bytes || gl.createBuffer();
    gl.bindVertexArray(part.vertices);
    gl.bindBuffer(gl.ARRAY_BUFFER, part.bytes);
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(5);
    gl.vertexAttribPointer(5, 1, gl.UNSIGNED_BYTE, true, 0, 0);
    gl.bindVertexArray(null);
  }

  // put poses and fields of the present moment in place
  place() {
    const clip = this.scene.clips[this.clip];
    const turn = 2 * Math.PI * this.moment, cos = Math.cos(turn), sin = Math.sin(turn);
    const scale = clip ? (this.history ? 1 : clip.scale) * this.amplitude : 0;
    let frame = 0;
    if (this.history) {
      const t = this.history.t, wanted = t[0] + this.moment * (t[t.length - 1] - t[0]);
      while (frame < t.length - 1 && Math.abs(t[frame + 1] - wanted) <= Math.abs(t[frame] - wanted)) frame++;
      this.time = t[frame];
    }
    this.carriers.forEach((carrier, k) => {
      carrier.pose = carrier.rest;
      if (!clip) { carrier.factor = 0; return; }
      let used = [];
      if (this.history) {
        carrier.pose = matrix(this.history.pose, 12 * (frame * this.carriers.length + k));
        const n = carrier.factors.length;
        used = Array.from(this.history.amplitude[k].subarray(frame * n, (frame + 1) * n));
        carrier.factor = scale;
      } else {
        if (clip.pose) {
          const change = clip.pose[k].map((z) => scale * (z[0] * cos - z[1] * sin));
          const m = matrix(change);
          m[15] = 0;
          carrier.pose = carrier.rest.map((x, i) => x + m[i]);
        }
        carrier.factor = this.single ? scale * cos : scale;
        used = clip.amplitude[k].map((z) => (this.single ? z[0] : z[0] * cos - z[1] * sin));
      }
      const values = this.values[k] && this.history ? this.decoded(this.values[k], frame, carrier.nodes, clip.top) : this.values[k];
      this.fill(carrier, used, values);
    });
  }

  // the numbers of one frame, from bytes: 0 to 254 stand for 0 to the top, 255 for none
  decoded(bytes, frame, nodes, top) {
    return Float32Array.from(bytes.subarray(frame * nodes, (frame + 1) * nodes), (b) => (b === 255 ? NaN : (b / 254) * top));
  }

  // sum of shapes into the texture of a carrier
  fill(carrier, amplitude, values) {
    const key = this.clip + ":" + amplitude.join(" ");
    if (!carrier.nodes || carrier.present === key) return;
    carrier.present = key;
    const { data, coded, nodes } = carrier;
    data.fill(0);
    amplitude.forEach((a, k) => {
      if (!a) return;
      const [shift, turn] = carrier.factors[k], start = 6 * nodes * k;
      for (let n = 0, from = start, to = 0; n < nodes; n++, from += 6, to += 8) {
        data[to] += a * shift * coded[from];
        data[to + 1] += a * shift * coded[from + 1];
        data[to + 2] += a * shift * coded[from + 2];
        data[to + 4] += a * turn * coded[from + 3];
        data[to + 5] += a * turn * coded[from + 4];
        data[to + 6] += a * turn * coded[from + 5];
      }
    });
    if (values) for (let n = 0; n < nodes; n++) data[8 * n + 3] = values[n];
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, carrier.texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, carrier.width, carrier.height, gl.RGBA, gl.FLOAT, data);
  }

  // camera: parallel rays; `away` points to the eye

  fit() {
    const view = this.scene.view;
    this.focus = view.focus.slice();
    this.away = unit(view.away);
    this.up = unit(view.up);
    this.span = view.span;
    this.aspect = view.aspect;
  }

  rotate(dx, dy) {
    const right = cross(this.up, this.away);
    // about the vertical of the world and the horizontal of the screen, like a turntable
    this.away = about(about(this.away, [0, 0, 1], -dx), right, -dy);
    this.up = about(about(this.up, [0, 0, 1], -dx), right, -dy);
    this.away = unit(this.away);
    this.up = unit(add(this.up, this.away, -dot(this.up, this.away)));
  }

  pan(dx, dy) {
    const right = cross(this.up, this.away), per = (2 * this.half) / this.canvas.clientHeight;
    this.focus = add(add(this.focus, right, -dx * per), this.up, dy * per);
  }

  // half the height of what is seen when all of the scene is, but for those pixels
  fitted(below, beside) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const [high, wide] = [Math.max(height - this.above - below, 0.4 * height), Math.max(width - beside, 0.4 * width)];
    // what fitted a picture of another shape must still fit
    return (this.span * Math.max(1, (this.aspect * high) / wide) * height) / high;
  }

  camera() {
    const right = cross(this.up, this.away), aspect = this.canvas.width / this.canvas.height;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.half = this.fitted(this.below, this.beside);
    this.raised = (this.below - this.above) / height; // of half the height
    this.shifted = this.beside / width; // of half the width
    const sx = 1 / (this.half * aspect), sy = 1 / this.half, sz = 1 / this.scene.view.depth;
    const row = (v, s) => [...v.map((x) => x * s), -s * dot(v, this.focus)];
    const [a, b, c] = [row(right, sx), row(this.up, sy), row(this.away, -sz)];
    a[3] -= this.shifted;
    b[3] += this.raised;
    return new Float32Array([a[0], b[0], c[0], 0, a[1], b[1], c[1], 0, a[2], b[2], c[2], 0, a[3], b[3], c[3], 1]);
  }

  // drawing

  draw() {
    const gl = this.gl, at = this.at, scale = (window.devicePixelRatio || 1) * this.fineness, canvas = this.canvas;
    const [w, h] = [Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale)];
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    gl.viewport(0, 0, w, h);
    gl.clearColor(...this.paper, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(this.program);
    this.seen = this.camera();
    gl.uniformMatrix4fv(at.camera, false, this.seen);
    const right = cross(this.up, this.away), towards = (x, y) => unit(add(add(this.away, right, x), this.up, y));
    gl.uniform3fv(at.eye, this.away);
    gl.uniform3fv(at.key, towards(-0.5, 0.9));
    gl.uniform3fv(at.fill, towards(0.6, -0.2));
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.palette);
    gl.uniform1i(at.palette, 1);
    gl.uniform1i(at.field, 0);
    gl.activeTexture(gl.TEXTURE0);
    const clip = this.scene.clips[this.clip];
    gl.uniform1f(at.top, clip && clip.top ? clip.top : 1);
    for (const pass of [0, 1]) { // what can be seen through comes last
      for (const part of this.parts) {
        if ((part.color[3] < 1) !== (pass === 1) || (part.mark && !this.show.marks)) continue;
        this.drawPart(part, clip);
      }
    }
    gl.bindVertexArray(null);
  }

  drawPart(part, clip) {
    const gl = this.gl, at = this.at, carrier = this.carriers[part.carrier];
    gl.bindVertexArray(part.vertices);
    gl.vertexAttrib3f(2, 0, 0, 0);
    for (const [location, value] of part.constants) gl.vertexAttrib1f(location, value);
    gl.bindTexture(gl.TEXTURE_2D, carrier.texture);
    gl.uniform1i(at.width, carrier.width);
    const elements = (mode, indices, moving, lit, colouring, color) => {
      if (!indices) return;
      gl.uniformMatrix4fv(at.pose, false, moving ? carrier.pose : carrier.rest);
      gl.uniform1f(at.factor, moving ? carrier.factor : 0);
      gl.uniform1i(at.lit, lit);
      gl.uniform1f(at.lift, mode === gl.LINES ? 1.5e-3 : 0);
      gl.uniform1i(at.colouring, colouring);
      gl.uniform4fv(at.plain, color);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices.buffer);
      gl.drawElements(mode, indices.count, gl.UNSIGNED_INT, 0);
    };
    let colouring = 0;
    if (clip && clip.top && part.coloured) colouring = clip.values[part.carrier] ? 2 : part.own ? 3 : 1;
    const see = part.color[3] < 1;
    if (see) { gl.enable(gl.BLEND); gl.depthMask(false); }
    elements(gl.TRIANGLES, part.faces, true, 1, colouring, part.color);
    elements(gl.LINES, part.lines, true, 0, colouring, part.color);
    // thin enough to leave the colours of slender parts to be seen
    gl.enable(gl.BLEND);
    if (this.show.edges) elements(gl.LINES, part.edges, true, 0, 0, [0.27, 0.31, 0.36, 0.5 * part.color[3]]);
    gl.disable(gl.BLEND);
    if (see) { gl.disable(gl.BLEND); gl.depthMask(true); }
    if (clip && clip.kind === "harmonic" && this.show.ghost) {
      gl.enable(gl.BLEND);
      elements(gl.LINES, part.ghost, false, 0, 0, [0.62, 0.66, 0.71, 0.6]);
      gl.disable(gl.BLEND);
    }
  }

  // the directions of x, y and z on the screen, rightwards and upwards, and towards the eye
  axes() {
    const right = cross(this.up, this.away);
    return [0, 1, 2].map((k) => [right[k], this.up[k], this.away[k]]);
  }

  // where a label is on the screen, in pixels of the page
  locate(label) {
    const carrier = this.carriers[label.carrier], p = label.point.slice();
    if (label.anchor >= 0 && carrier.nodes) for (let i = 0; i < 3; i++) p[i] += carrier.factor * carrier.data[8 * label.anchor + i];
    const apply = (m, v) => [0, 1, 2].map((i) => m[i] * v[0] + m[4 + i] * v[1] + m[8 + i] * v[2] + m[12 + i]);
    const q = apply(this.seen, apply(carrier.pose, p));
    return [((q[0] + 1) / 2) * this.canvas.clientWidth, ((1 - q[1]) / 2) * this.canvas.clientHeight];
  }
}

// put words beside a pixel, or as near to it as they are seen as a whole
function putLabel(canvas, words, [x, y]) {
  if (!words.extent || !words.extent[0]) words.extent = [words.offsetWidth, words.offsetHeight]; // asked once: it costs a layout
  const [width, height] = words.extent, within = (at, size, whole) => Math.max(2, Math.min(at, whole - size - 2));
  words.style.left = `${within(x + 6, width, canvas.clientWidth)}px`;
  words.style.top = `${within(y - 1.3 * height, height, canvas.clientHeight)}px`;
}

// arrows of x, y and z in a corner, those that point away first
function drawAxes(svg, axes) {
  const names = ["x", "y", "z"], far = [0, 1, 2].sort((a, b) => axes[a][2] - axes[b][2]);
  svg.innerHTML = far.map((k) => {
    const [x, y] = axes[k];
    return `<g class="${names[k]}"><line x2="${28 * x}" y2="${-28 * y}"/><text x="${38 * x}" y="${-38 * y}">${names[k]}</text></g>`;
  }).join("");
}

function connect(viewer) {
  const scene = viewer.scene, clips = scene.clips, canvas = viewer.canvas;
  const state = { playing: clips.length > 0, dirty: true, last: 0, pace: 0 };
  const labels = scene.labels.map((label) => $("labels").appendChild(Object.assign(document.createElement("span"), { textContent: label.text })));
  const charts = clips.flatMap((clip) => clip.charts || []).map((diagram) => {
    diagram.curves = diagram.curves.map((curve) => ({ ...curve, x: scene.array(curve.x), y: scene.array(curve.y) }));
    return new Chart($("charts").appendChild(document.createElement("div")), diagram, goTo);
  });
  const number = (x) => (x === 0 ? "0" : Math.abs(x) >= 1e-3 && Math.abs(x) < 1e4 ? String(+x.toPrecision(3)) : x.toExponential(2));

  function describe() {
    const clip = clips[viewer.clip];
    $("title").textContent = [scene.title, clip && clip.title].filter(Boolean).join(", ");
    $("clip").value = viewer.clip + 1;
    $("clip-number").textContent = `${viewer.clip + 1} of ${clips.length}`;
    $("legend").hidden = !clip || !clip.top;
    if (clip) {
      $("legend-name").textContent = clip.legend;
      $("ticks").replaceChildren(...clip.ticks.map(([share, words]) => {
        const tick = document.createElement("span");
        tick.textContent = words;
        tick.style.setProperty("--at", `${100 * share}%`);
        return tick;
      }));
    }
    $("moment-control").hidden = !clip || clip.kind !== "history";
    measure();
  }
  // the colour bar lies below the scene or stands beside it, where it leaves more of it
  function measure() {
    viewer.above = $("title").textContent ? 36 : 0; // one line, so that no mode has a camera of its own
    const bar = $("legend"), size = (upright) => { bar.classList.toggle("upright", upright); return [bar.offsetWidth + 16, bar.offsetHeight + 16]; };
    const [wide] = size(true), [, high] = size(false), upright = viewer.fitted(0, wide) < viewer.fitted(high, 0);
    bar.classList.toggle("upright", upright);
    viewer.below = bar.hidden || upright ? 0 : high;
    viewer.beside = !bar.hidden && upright ? wide : 0;
    // a number that would touch the largest one is left out
    const ticks = [...$("ticks").children], box = (tick) => tick.getBoundingClientRect(), last = ticks.length ? box(ticks.pop()) : null;
    for (const tick of ticks) {
      const touches = upright ? box(tick).top < last.bottom : box(tick).right + 6 > last.left;
      tick.style.visibility = touches ? "hidden" : "visible";
    }
  }
  function tell() {
    $("play").textContent = state.playing ? "pause" : "play";
    const clip = clips[viewer.clip], drawn = viewer.amplitude * (clip && clip.share || 1);
    $("amplitude-number").textContent = viewer.history ? `× ${number(drawn)}` : `${number(drawn)} of size`;
    $("moment").value = viewer.moment;
    if (viewer.history) $("moment-number").textContent = `${viewer.time.toFixed(3)} s`;
  }
  function step(now) {
    if (state.playing) {
      const clip = clips[viewer.clip], past = Math.min(now - state.last, 100) / 1000;
      viewer.moment = (viewer.moment + past / clip.seconds) % 1;
      state.dirty = true;
      // what moves by jerks is drawn coarser until it stands: without a graphics processor pixels are most of the work
      state.pace = 0.9 * state.pace + 0.1 * Math.min(now - state.last, 200);
      if (state.pace > SMOOTH) viewer.fineness = COARSE;
    }
    state.last = now;
    if (state.dirty && canvas.clientWidth && canvas.clientHeight) {
      viewer.place();
      viewer.draw();
      scene.labels.forEach((label, k) => {
        labels[k].style.visibility = viewer.show.marks ? "visible" : "hidden";
        putLabel(canvas, labels[k], viewer.locate(label));
      });
      drawAxes($("axes"), viewer.axes());
      if (viewer.history) for (const chart of charts) chart.cursor(viewer.time);
      tell();
      state.dirty = false;
      state.frames = (state.frames || 0) + 1;
    }
    requestAnimationFrame(step);
  }
  function goTo(time) {
    const t = viewer.history.t;
    go((time - t[0]) / (t[t.length - 1] - t[0] || 1));
  }
  const touch = () => { state.dirty = true; };
  const play = (wanted) => {
    Object.assign(state, { playing: wanted && clips.length > 0, pace: 0 });
    viewer.fineness = 1;
    touch();
  };
  const go = (moment) => { play(false); viewer.moment = moment; touch(); };
  const choose = (k) => { viewer.choose(k); describe(); touch(); };

  $("play").onclick = () => play(!state.playing);
  $("clip").oninput = () => choose(+$("clip").value - 1);
  $("moment").oninput = () => go(+$("moment").value);
  $("amplitude").oninput = () => { viewer.amplitude = +$("amplitude").value; touch(); };
  for (const name of ["ghost", "edges", "marks"]) $(name).onchange = () => { viewer.show[name] = $(name).checked; touch(); };
  $("plots").onchange = () => { $("charts").hidden = !$("plots").checked; touch(); };
  $("fit").onclick = () => { viewer.fit(); touch(); };
  document.addEventListener("keydown", (event) => {
    if (event.target.tagName === "INPUT") return;
    const keys = { " ": () => play(!state.playing), f: () => viewer.fit(), ArrowRight: () => choose(viewer.clip + 1), ArrowLeft: () => choose(viewer.clip - 1) };
    if (keys[event.key]) { keys[event.key](); touch(); event.preventDefault(); }
  });

  // one finger or the left button turns, two fingers or other buttons shift and zoom
  const fingers = new Map();
  canvas.onpointerdown = (event) => { canvas.setPointerCapture(event.pointerId); fingers.set(event.pointerId, event); canvas.focus(); };
  canvas.onpointerup = canvas.onpointercancel = (event) => fingers.delete(event.pointerId);
  canvas.oncontextmenu = (event) => event.preventDefault();
  canvas.onpointermove = (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
    if (fingers.size === 2) {
      const other = [...fingers.values()].find((f) => f.pointerId !== event.pointerId);
      const gap = (f) => Math.hypot(f.clientX - other.clientX, f.clientY - other.clientY);
      viewer.span *= gap(before) / Math.max(gap(event), 1);
      viewer.pan(dx / 2, dy / 2);
    } else if (event.buttons & 6 || event.shiftKey) viewer.pan(dx, dy);
    else viewer.rotate(dx * 0.008, dy * 0.008);
    fingers.set(event.pointerId, event);
    touch();
  };
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect(), zoom = Math.exp(event.deltaY * 0.0012);
    const x = event.clientX - box.left - ((1 - viewer.shifted) * box.width) / 2;
    const y = event.clientY - box.top - ((1 - viewer.raised) * box.height) / 2;
    viewer.pan(-x * (1 - zoom), -y * (1 - zoom)); // what is under the pointer stays there
    viewer.span *= zoom;
    touch();
  }, { passive: false });
  new ResizeObserver(() => { measure(); touch(); }).observe(canvas);

  $("bar").style.background = `linear-gradient(var(--towards), ${[0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => {
    const c = scene.palette.slice(3 * Math.min(255, 32 * k), 3 * Math.min(255, 32 * k) + 3);
    return `rgb(${c.join(",")})`;
  }).join(",")})`;
  $("amplitude").max = 10 * (viewer.amplitude || 1);
  $("amplitude").step = $("amplitude").max / 1000;
  $("amplitude").value = viewer.amplitude;
  $("clip").max = Math.max(1, clips.length);
  $("clip-control").hidden = clips.length < 2;
  $("play").hidden = !clips.length;
  // rigid bodies of a run have nothing to magnify
  const bends = clips.some((clip) => clip.kind === "harmonic") || scene.carriers.some((carrier) => carrier.factors.length);
  $("amplitude").closest("label").hidden = !clips.length || !bends;
  $("ghost").closest("label").hidden = !clips.some((clip) => clip.kind === "harmonic");
  $("marks").closest("label").hidden = !scene.parts.some((part) => part.mark);
  $("plots").closest("label").hidden = $("charts").hidden = !charts.length;
  viewer.choose(scene.first);
  describe();
  requestAnimationFrame(step);
  // for tests and for pages around this one
  window.floatframe = { viewer, play, choose, state, go, charts };
}

unpack($("data").textContent).then((scene) => connect(new Viewer($("canvas"), scene))).catch((error) => {
  $("message").textContent = `The scene cannot be shown: ${error.message}.`;
  $("message").hidden = false;
  console.error(error);
});
