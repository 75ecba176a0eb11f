import { DAY_MS } from '../../schema/time.ts';

/** How long a key is remembered. */
const REMEMBERED_MS = DAY_MS;

/** The caller's Idempotency-Key, with a digest of the operation and the body. */
export interface KeyedRequest {
  key: string;
  digest: string;
}

/** The outcome of the first request with a key. */
export interface Creation {
  taskId: string;
  seq: number;
  createdAt: number;
  queuePosition: number;
  /** Null if unknown. */
  etaSeconds: number | null;
}

export interface Remembered extends Creation {
  /** Whether the first request with this key had the same operation and body. */
  sameRequest: boolean;
  /** Whether the task record is known to be written. */
  confirmed: boolean;
}

type Row = {
  digest: string;
  task_id: string;
  seq: number;
  created_at: number;
  queue_position: number;
  eta_seconds: number | null;
  confirmed: number;
};

/** The part of `SqlStorage` that is used. */
interface Sql {
  exec<T extends Record<string, string | number | null>>(
    query: string,
    ...values: (string | number | null)[]
  ): { toArray(): T[] };
}

/**
 * The Idempotency-Keys of an account. A key is stored in the same step that admits its task, so no crash can separate the two.
 * Their number is limited by the plan's creations per day; each insert deletes expired keys.
 */
export class IdempotencyKeys {
  private readonly sql: Sql;

  constructor(sql: Sql) {
    this.sql = sql;
    sql.exec(`create table if not exists idempotency_keys (
      key text primary key, digest text not null, task_id text not null, seq integer not null,
      created_at integer not null, queue_position integer not null, eta_seconds real, confirmed integer not null
    ) without rowid`);
    sql.exec('create index if not exists idempotency_keys_created on idempotency_keys (created_at)');
  }

  find({ key, digest }: KeyedRequest, now: number): Remembered | null {
    const [row] = this.sql
      .exec<Row>('select * from idempotency_keys where key = ? and created_at > ?', key, now - REMEMBERED_MS)
      .toArray();
    if (!row) return null;
    return {
      sameRequest: row.digest === digest,
      taskId: row.task_id,
      seq: row.seq,
      createdAt: row.created_at,
      queuePosition: row.queue_position,
      etaSeconds: row.eta_seconds,
      confirmed: row.confirmed === 1,
    };
  }

  remember({ key, digest }: KeyedRequest, made: Creation): void {
    this.sql.exec('delete from idempotency_keys where created_at <= ?', made.createdAt - REMEMBERED_MS);
    this.sql.exec(
      'insert or replace into idempotency_keys values (?, ?, ?, ?, ?, ?, ?, 0)',
      ...[key, digest, made.taskId, made.seq, made.createdAt, made.queuePosition, made.etaSeconds],
    );
  }

  /** Stores the first answer once the task record is written. */
  confirm(key: string, { taskId, etaSeconds }: Creation): void {
    this.sql.exec(
      'update idempotency_keys set confirmed = 1, eta_seconds = ? where key = ? and task_id = ?',
      ...[etaSeconds, key, taskId],
    );
  }

  forget(key: string, taskId: string): void {
    this.sql.exec('delete from idempotency_keys where key = ? and task_id = ?', key, taskId);
  }
}
