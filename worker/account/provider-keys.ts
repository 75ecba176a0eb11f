/** Callers' provider keys, sealed. Each is kept only while its task is live, because every attempt may need it. */
export class ProviderKeys {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec('create table if not exists provider_keys (task_id text primary key, sealed text not null)');
  }

  keep(taskId: string, sealed: string): void {
    this.#sql.exec('insert into provider_keys (task_id, sealed) values (?, ?)', taskId, sealed);
  }

  find(taskId: string): string | null {
    const [row] = this.#sql.exec('select sealed from provider_keys where task_id = ?', taskId).toArray();
    return row ? String(row.sealed) : null;
  }

  forget(taskId: string): void {
    this.#sql.exec('delete from provider_keys where task_id = ?', taskId);
  }
}
