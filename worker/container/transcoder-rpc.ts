/**
 * The methods of a Transcoder that the rest of the Worker calls, in addition to `fetch`. Bindings use this instead of the
 * class.
 */
export interface TranscoderRpc extends Rpc.DurableObjectBranded {
  /** Stops the container if it is idle, because another account needs the instance. */
  retire(): Promise<void>;
}
