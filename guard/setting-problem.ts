interface SettingText {
  doc: string;
  /** The value is never shown. */
  secret?: boolean;
}

const LONGEST_SHOWN = 100;

/**
 * Says what is wrong with a setting, for the operator: its name, its value unless it is secret, and what is allowed.
 * @param allowed Completes "must be …"
 */
export function settingProblem(name: string, value: unknown, setting: SettingText, allowed: string): string {
  if (value === undefined || value === null || value === '') return `${name}: must be set. ${setting.doc}`;
  if (setting.secret) return `${name}: must be ${allowed}; the value is not shown because it is secret`;
  return `${name}: must be ${allowed}; it is ${JSON.stringify(String(value).slice(0, LONGEST_SHOWN))}`;
}
