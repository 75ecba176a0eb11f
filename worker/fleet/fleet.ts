import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../bindings.ts';
import { readConfig } from '../env.ts';
import { errorText, log } from '../lib/log.ts';
import type { Answer, FleetRpc } from './fleet-rpc.ts';
import {
  emptyFleet,
  type FleetEffect,
  type FleetEvent,
  type FleetPolicy,
  type FleetState,
  type Machines,
  type Member,
  type Observation,
  type Question,
} from './fleet-state.ts';
import { nextFleetDeadline, reduceFleet } from './reduce.ts';

const memberKey = (id: string) => `member:${id}`;

/** The one object that shares the machines among the accounts: the shell around reduce.ts. */
export class Fleet extends DurableObject<Env> implements FleetRpc {
  private readonly policy: FleetPolicy;
  private state: FleetState;
  private alarmAt: number | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { TRANSCODER_URL, MAX_INSTANCES } = readConfig(env);
    this.policy = { instances: TRANSCODER_URL === '' ? MAX_INSTANCES : null };
    const { kv } = ctx.storage;
    const members = new Map<string, Member>();
    for (const [, member] of kv.list<Member>({ prefix: 'member:' })) members.set(member.id, member);
    this.state = {
      members,
      machines: kv.get<Machines>('machines') ?? emptyFleet.machines,
      clock: kv.get<number>('clock') ?? 0,
    };
  }

  async ask(question: Question): Promise<Answer> {
    const granted = this.apply({ type: 'ask', question });
    return granted ? { slots: granted } : { heard: this.state.members.get(question.account)?.seq ?? 0 };
  }

  async observe(observation: Observation): Promise<void> {
    this.apply({ type: 'observe', observation });
  }

  override async alarm(): Promise<void> {
    this.alarmAt = null;
    try {
      this.apply({ type: 'tick' });
    } catch (error) {
      // Cloudflare gives up an alarm after six failures in a row.
      log('error', 'fleet_alarm_failed', { error: errorText(error) });
      await this.ctx.storage.setAlarm(Date.now() + 10_000);
    }
  }

  private apply(event: FleetEvent): number[] | null {
    const now = Date.now();
    const before = this.state;
    const { state, effects, granted } = reduceFleet(before, event, this.policy, now);
    this.ctx.storage.transactionSync(() => this.save(before, state));
    this.state = state;
    if (state.machines.down !== before.machines.down)
      log(state.machines.down ? 'error' : 'info', state.machines.down ? 'fleet_down' : 'fleet_up', {});
    for (const effect of effects) this.ctx.waitUntil(this.run(effect));
    this.arm(now);
    return granted;
  }

  private save(before: FleetState, { members, machines, clock }: FleetState): void {
    const { kv } = this.ctx.storage;
    for (const [id, member] of members) if (before.members.get(id) !== member) kv.put(memberKey(id), member);
    for (const id of before.members.keys()) if (!members.has(id)) kv.delete(memberKey(id));
    if (machines !== before.machines) kv.put('machines', machines);
    if (clock !== before.clock) kv.put('clock', clock);
  }

  private arm(now: number): void {
    const deadline = nextFleetDeadline(this.state, now);
    if (deadline === null || (this.alarmAt !== null && this.alarmAt <= deadline)) return;
    this.alarmAt = deadline;
    this.ctx.waitUntil(this.ctx.storage.setAlarm(deadline));
  }

  /** If this fails, the reserved permit goes to the next account, and an idle container goes to sleep by itself. */
  private async run(effect: FleetEffect): Promise<void> {
    try {
      if (effect.type === 'wake') await this.env.ACCOUNT.getByName(effect.account).permitFree();
      else await this.env.TRANSCODER.getByName(`${effect.account}/${effect.slot}`).retire();
    } catch (error) {
      log('warn', 'fleet_effect_failed', {
        effect: effect.type,
        account_id: effect.account,
        error: errorText(error),
      });
    }
  }
}
