const missed = new Set<HTMLLinkElement>()

/** Records each style sheet that failed to load. */
export const trackFailedStyles = (): void => {
  const note = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') missed.add(target)
  }
  window.addEventListener('error', note, true)
}

const askAgain = (link: HTMLLinkElement) =>
  new Promise<void>((resolve) => {
    const again = document.createElement('link')
    for (const { name, value } of link.attributes) again.setAttribute(name, value)
    again.addEventListener('load', () => resolve())
    again.addEventListener('error', () => resolve())
    missed.delete(link)
    link.replaceWith(again)
  })

/** The bundler requests a style sheet once. A failed one is requested here again, before the chunk that may need it. */
export const reloadFailedStyles = async (): Promise<void> => {
  await Promise.all(Array.from(missed, askAgain))
}
