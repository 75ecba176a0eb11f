/** What the rest of the Worker calls on a Transcoder, besides `fetch`. Bindings use it instead of the class. */
export interface TranscoderRpc extends Rpc.DurableObjectBranded {
  /** Stops the container if it is idle, because another account needs its place. */
  retire(): Promise<void>;
}
