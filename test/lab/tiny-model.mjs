// Writes a tiny model of the llama architecture with random weights, in the GGUF format: what it says is noise, but
// llama.cpp evaluates and keeps its tokens as those of any model.

const size = { width: 64, layers: 1, heads: 2, inner: 128, context: 131_072 };

/** The types of values in GGUF's metadata, by their numbers. */
const valueTypes = { u32: 4, i32: 5, f32: 6, string: 8, array: 9 };
/** The types of tokens in GGUF's vocabularies, by their numbers. */
const tokenTypes = { normal: 1, unknown: 2, control: 3, byte: 6 };
const alignment = 32;

const writers = {
  u32: (value) => number(4, (buffer) => buffer.writeUInt32LE(value)),
  i32: (value) => number(4, (buffer) => buffer.writeInt32LE(value)),
  f32: (value) => number(4, (buffer) => buffer.writeFloatLE(value)),
  u64: (value) => number(8, (buffer) => buffer.writeBigUInt64LE(BigInt(value))),
  string: (value) => {
    const text = Buffer.from(value, 'utf8');
    return Buffer.concat([writers.u64(text.length), text]);
  },
};

function number(bytes, write) {
  const buffer = Buffer.alloc(bytes);
  write(buffer);
  return buffer;
}

/** @returns the bytes of the model file; the same in every run */
export function makeTinyModel() {
  const vocabulary = makeVocabulary();
  const metadata = makeMetadata(vocabulary);
  const tensors = makeTensors(vocabulary.length);
  let offset = 0;
  const entries = tensors.map(({ name, shape, data }) => {
    const entry = [
      writers.string(name),
      writers.u32(shape.length),
      ...shape.map(writers.u64),
      writers.u32(0),
      writers.u64(offset),
    ];
    offset += data.length + gapAfter(data.length);
    return Buffer.concat(entry);
  });
  const head = Buffer.concat([
    ...[Buffer.from('GGUF'), writers.u32(3), writers.u64(tensors.length), writers.u64(metadata.length)],
    ...metadata,
    ...entries,
  ]);
  const body = tensors.flatMap(({ data }) => [data, Buffer.alloc(gapAfter(data.length))]);
  return Buffer.concat([head, Buffer.alloc(gapAfter(head.length)), ...body]);
}

function gapAfter(bytes) {
  return (alignment - (bytes % alignment)) % alignment;
}

/** Every byte is a token, so that any text can be written; frequent pieces of English make it shorter. */
function makeVocabulary() {
  const pieces = ['▁the', '▁a', '▁of', '▁and', '▁to', '▁in', '▁note', '▁is', '▁that', 'ing', 'er', 'on', 're', 'ed'];
  const visible = Array.from({ length: 126 - 32 }, (_, index) => String.fromCharCode(33 + index));
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  return [
    { text: '<unk>', type: tokenTypes.unknown },
    ...['<s>', '</s>', '<|turn|>', '<|end|>'].map((text) => ({ text, type: tokenTypes.control })),
    ...bytes.map((text) => ({ text, type: tokenTypes.byte })),
    ...[...pieces, '▁', ...visible].map((text) => ({ text, type: tokenTypes.normal })),
  ];
}

function makeMetadata(vocabulary) {
  const entry = (key, type, value) =>
    Buffer.concat([writers.string(key), writers.u32(valueTypes[type]), writers[type](value)]);
  const list = (key, type, values) =>
    Buffer.concat([
      ...[writers.string(key), writers.u32(valueTypes.array), writers.u32(valueTypes[type])],
      ...[writers.u64(values.length), ...values.map(writers[type])],
    ]);
  return [
    entry('general.architecture', 'string', 'llama'),
    entry('general.name', 'string', 'tiny-random'),
    entry('general.file_type', 'u32', 0),
    entry('llama.context_length', 'u32', size.context),
    entry('llama.embedding_length', 'u32', size.width),
    entry('llama.block_count', 'u32', size.layers),
    entry('llama.feed_forward_length', 'u32', size.inner),
    entry('llama.attention.head_count', 'u32', size.heads),
    entry('llama.attention.head_count_kv', 'u32', size.heads),
    entry('llama.rope.dimension_count', 'u32', size.width / size.heads),
    entry('llama.attention.layer_norm_rms_epsilon', 'f32', 1e-5),
    entry('llama.vocab_size', 'u32', vocabulary.length),
    entry('tokenizer.ggml.model', 'string', 'llama'),
    list(
      'tokenizer.ggml.tokens',
      'string',
      vocabulary.map(({ text }) => text),
    ),
    // Earlier pieces are preferred when a text could be split in several ways.
    list(
      'tokenizer.ggml.scores',
      'f32',
      vocabulary.map(({ type }, index) => (type === tokenTypes.normal ? -index : 0)),
    ),
    list(
      'tokenizer.ggml.token_type',
      'i32',
      vocabulary.map(({ type }) => type),
    ),
    entry('tokenizer.ggml.bos_token_id', 'u32', 1),
    entry('tokenizer.ggml.eos_token_id', 'u32', 2),
    entry('tokenizer.ggml.unknown_token_id', 'u32', 0),
  ];
}

function makeTensors(words) {
  const { width, inner, layers } = size;
  const random = chance(11);
  const matrix = (name, columns, rows) => tensor(name, [columns, rows], () => random() * 0.2);
  const norm = (name) => tensor(name, [width], () => 1);
  const tensors = [
    matrix('token_embd.weight', width, words),
    matrix('output.weight', width, words),
    norm('output_norm.weight'),
  ];
  for (let layer = 0; layer < layers; layer += 1) {
    const at = `blk.${layer}.`;
    tensors.push(norm(`${at}attn_norm.weight`), norm(`${at}ffn_norm.weight`));
    for (const part of ['attn_q', 'attn_k', 'attn_v', 'attn_output'])
      tensors.push(matrix(`${at}${part}.weight`, width, width));
    tensors.push(matrix(`${at}ffn_gate.weight`, width, inner), matrix(`${at}ffn_up.weight`, width, inner));
    tensors.push(matrix(`${at}ffn_down.weight`, inner, width));
  }
  return tensors;
}

function tensor(name, shape, valueAt) {
  const values = Float32Array.from({ length: shape.reduce((product, each) => product * each, 1) }, valueAt);
  return { name, shape, data: Buffer.from(values.buffer) };
}

/** Numbers from -1 to 1, the same in every run. */
function chance(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32) * 2 - 1;
  };
}
