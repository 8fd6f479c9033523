/** Fallback for a browser without a clipboard, as on plain http of an intranet. */
const copySelected = (text: string): boolean => {
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true })
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const before = document.activeElement
  document.body.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (before instanceof HTMLElement) before.focus()
  }
}

/** Copies a text to the clipboard. @returns whether it succeeded. */
export const copyText = async (text: string): Promise<boolean> => {
  // Absent in an insecure context, whatever its type says.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) return copySelected(text)
  return clipboard.writeText(text).then(
    () => true,
    () => copySelected(text),
  )
}
