// The graphs of Workload.swift, in Chromium's words. `render(name, count, seconds)` resolves when the sound is made.

const RATE = 48000;

function noise(context, channels, rate) {
  const buffer = context.createBuffer(channels, rate, rate);
  let state = 1;
  for (let channel = 0; channel < channels; channel++) {
    const samples = buffer.getChannelData(channel);
    for (let frame = 0; frame < rate; frame++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      samples[frame] = state / 4294967296 / 1024;
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

const GRAPHS = {
  'voices': (context, count) => voices(context, count, 2, RATE),
  'mono to stereo': (context, count) => voices(context, count, 1, RATE),
  'stereo': (context, count) => voices(context, count, 2, RATE),
  '5.1 to stereo': (context, count) => voices(context, count, 6, RATE),
  'biquads': biquads,
  '44.1 to 48 kHz': (context, count) => voices(context, count, 2, 44100),
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
