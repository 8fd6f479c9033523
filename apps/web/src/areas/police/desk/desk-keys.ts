const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null

/** Keys of the desk act never while the user types or a dialog is open, and never as part of a browser's shortcut. */
export const isKeyForDesk = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat || isTyping(event))
