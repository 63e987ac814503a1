/** A WebAssembly file imported is its compiled module. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
