// The graphs of Workload.swift and EffectWorkload.swift, in Chromium's words: `prepare(name, count, seconds)`, then `render()`, which
// resolves when the sound is made.

const RATE = 48000;

function noise(context, channels, rate, gain = 1, seconds = 1) {
  const buffer = context.createBuffer(channels, rate * seconds, rate);
  let state = 1;
  for (let channel = 0; channel < channels; channel++) {
    const samples = buffer.getChannelData(channel);
    for (let frame = 0; frame < samples.length; frame++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      samples[frame] = state / 4294967296 / 1024 * gain;
    }
  }
  return buffer;
}

function voices(context, count, channels, rate) {
  const mixer = new GainNode(context, { channelCount: 2, channelCountMode: 'explicit' });
  mixer.connect(context.destination);
  const buffer = noise(context, channels, rate);
  for (let index = 0; index < count; index++) {
    const source = new AudioBufferSourceNode(context, { buffer, loop: true });
    source.connect(mixer);
    source.start();
  }
}

function biquads(context, count) {
  let last = new AudioBufferSourceNode(context, { buffer: noise(context, 2, RATE), loop: true });
  last.start();
  for (let index = 0; index < count; index++) {
    const filter = new BiquadFilterNode(context, { type: 'lowpass', frequency: 350, Q: 0 });
    last.connect(filter);
    last = filter;
  }
  last.connect(context.destination);
}

// The amplitude of the sources of effects is 0.125.
const GAIN = 256;

function player(context, channels) {
  const source = new AudioBufferSourceNode(context, { buffer: noise(context, channels, RATE, GAIN), loop: true });
  source.start();
  return source;
}

// One player through that many effects, each made by `make`, which returns where it begins and ends.
function chain(context, count, make) {
  let last = player(context, 2);
  for (let index = 0; index < count; index++) {
    const [input, output] = make(context);
    last.connect(input);
    last = output;
  }
  last.connect(context.destination);
}

function equaliser(context, bands) {
  const filters = [];
  for (let index = 0; index < bands; index++) {
    const frequency = 60 * 2 ** (index * 8 / bands);
    filters.push(new BiquadFilterNode(context, { type: 'peaking', frequency, Q: 2.87, gain: index % 2 ? -3 : 3 }));
    if (index > 0) filters[index - 1].connect(filters[index]);
  }
  return [filters[0], filters[bands - 1]];
}

function delay(context) {
  const [input, output] = [new GainNode(context, { gain: 1 }), new GainNode(context, { gain: 1 })];
  const line = new DelayNode(context, { delayTime: 0.1, maxDelayTime: 2 });
  const back = new GainNode(context, { gain: 0.5 });
  const [dry, wet] = [new GainNode(context, { gain: 0.7071 }), new GainNode(context, { gain: 0.7071 })];
  input.connect(line).connect(wet).connect(output);
  line.connect(back).connect(line);
  input.connect(dry).connect(output);
  return [input, output];
}

function compressor(context) {
  const node = new DynamicsCompressorNode(context, { threshold: -20, knee: 5, ratio: 4, attack: 0.001, release: 0.05 });
  return [node, node];
}

function softClip(context) {
  const curve = Float32Array.from({ length: 4097 }, (_, index) => Math.tanh(2 * (index / 2048 - 1)));
  const node = new WaveShaperNode(context, { curve, oversample: '4x' });
  return [node, node];
}

// An answer of two seconds that falls by 60 dB.
function reverb(context, dry) {
  const buffer = noise(context, 2, RATE, 256, 2);
  for (let channel = 0; channel < 2; channel++) {
    const samples = buffer.getChannelData(channel);
    for (let frame = 0; frame < samples.length; frame++) samples[frame] *= 10 ** (-3 * frame / samples.length);
  }
  const node = new ConvolverNode(context, { buffer });
  if (!dry) return [node, node];
  const [input, output] = [new GainNode(context), new GainNode(context)];
  input.connect(node).connect(output);
  input.connect(output);
  return [input, output];
}

// Players of one channel around a listener, who stand still or go round in four seconds.
function sources(context, count, panningModel, moves) {
  for (let index = 0; index < count; index++) {
    const angle = (time) => 2 * Math.PI * (index / count + time / 4);
    const place = { positionX: 2 * Math.sin(angle(0)), positionY: 0.5, positionZ: -2 * Math.cos(angle(0)) };
    const panner = new PannerNode(context, { panningModel, ...place });
    if (moves) {
      const seconds = context.length / RATE;
      const times = Array.from({ length: Math.ceil(seconds * 100) }, (_, step) => step / 100);
      panner.positionX.setValueCurveAtTime(times.map((time) => 2 * Math.sin(angle(time))), 0, seconds);
      panner.positionZ.setValueCurveAtTime(times.map((time) => -2 * Math.cos(angle(time))), 0, seconds);
    }
    player(context, 1).connect(panner).connect(context.destination);
  }
}

function mixing(context, count) {
  const [send] = reverb(context, false);
  for (let index = 0; index < count; index++) {
    const volume = new GainNode(context, { gain: 1 / count });
    const [first, last] = equaliser(context, 4);
    const [node] = compressor(context);
    player(context, 2).connect(volume).connect(first);
    last.connect(node);
    node.connect(context.destination);
    node.connect(send);
  }
  send.connect(context.destination);
}

const GRAPHS = {
  'voices': (context, count) => voices(context, count, 2, RATE),
  'mono to stereo': (context, count) => voices(context, count, 1, RATE),
  'stereo': (context, count) => voices(context, count, 2, RATE),
  '5.1 to stereo': (context, count) => voices(context, count, 6, RATE),
  'biquads': biquads,
  '44.1 to 48 kHz': (context, count) => voices(context, count, 2, 44100),
  'equaliser, 1 band': (context, count) => chain(context, count, () => equaliser(context, 1)),
  'equaliser, 10 bands': (context, count) => chain(context, count, () => equaliser(context, 10)),
  'delay with feedback': (context, count) => chain(context, count, delay),
  'compressor': (context, count) => chain(context, count, compressor),
  'soft clip': (context, count) => chain(context, count, softClip),
  'reverb': (context, count) => chain(context, count, () => reverb(context, true)),
  'equal power, still': (context, count) => sources(context, count, 'equalpower', false),
  'equal power, moving': (context, count) => sources(context, count, 'equalpower', true),
  'HRTF, still': (context, count) => sources(context, count, 'HRTF', false),
  'HRTF, moving': (context, count) => sources(context, count, 'HRTF', true),
  'voices with equaliser, compressor, reverb': mixing,
};

// Blocks of 512 frames where this Chromium can be asked for them, else its own 128.
function offline(seconds) {
  const options = { numberOfChannels: 2, length: RATE * seconds, sampleRate: RATE };
  return new OfflineAudioContext({ ...options, renderSizeHint: 512 });
}

async function prepare(name, count, seconds) {
  globalThis.context = offline(seconds);
  GRAPHS[name](globalThis.context, count);
  return globalThis.context.renderQuantumSize ?? 128;
}

async function render() {
  const rendered = await globalThis.context.startRendering();
  const samples = rendered.getChannelData(0);
  const heard = samples.subarray(samples.length - RATE).some((sample) => sample !== 0);
  globalThis.context = null;
  return heard;
}
