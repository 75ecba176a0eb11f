/** @throws Error if the page has no such element: the script and the page are of one version */
export function find<T extends Element>(root: ParentNode, selector: string, kind: new () => T): T {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

export function show(element: HTMLElement, isShown: boolean): void {
  element.hidden = !isShown;
}

/** A link to a blob that lasts until the next one takes its place. */
export class BlobUrl {
  #url: string | null = null;

  of(blob: Blob): string {
    this.forget();
    this.#url = URL.createObjectURL(blob);
    return this.#url;
  }

  forget(): void {
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = null;
  }
}
