import type { Observation, Question } from './fleet-state.ts';

/** The slots of new permits, or the number of the last request if this one is not newer. */
export type Answer = { slots: number[] } | { heard: number };

/** The methods of the Fleet that the rest of the Worker calls. Bindings and context use it instead of the class. */
export interface FleetRpc extends Rpc.DurableObjectBranded {
  /**
   * Records what an account holds and wants, and grants the permits that are available to it now. If it has to wait, the
   * fleet calls its `permitFree` later.
   */
  ask(question: Question): Promise<Answer>;

  /** Learns the outcome of a dispatch. */
  observe(observation: Observation): Promise<void>;
}

export type FleetStub = DurableObjectStub<FleetRpc>;
