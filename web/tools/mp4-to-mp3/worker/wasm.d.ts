/** The bundler puts the bytes of a WebAssembly module into the script, because the page may fetch nothing. */
declare module 'wasm-media-encoders/wasm/mp3' {
  const module: Uint8Array;
  export default module;
}
