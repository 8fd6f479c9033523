const missed = new Set<HTMLLinkElement>()

/** Notes each style that does not come. */
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

/** The bundler asks for a style once. One that did not come is asked for here, ahead of the part that may need it. */
export const reloadFailedStyles = async (): Promise<void> => {
  await Promise.all(Array.from(missed, askAgain))
}
