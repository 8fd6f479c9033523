/**
 * The files that the application's page requests first, as its html names them: hashed in a build, plain in
 * development.
 */
const firstFiles = (html: string) => {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const nodes = page.querySelectorAll('script[type=module][src], link[rel=modulepreload], link[rel=stylesheet]')
  return [...nodes].flatMap((node) => {
    const url = node.getAttribute('src') ?? node.getAttribute('href')
    return url?.startsWith('/') ? [{ url, as: node.getAttribute('rel') === 'stylesheet' ? 'style' : 'script' }] : []
  })
}

const fetchAhead = async () => {
  const response = await fetch('/', { headers: { accept: 'text/html' } })
  if (!response.ok) return
  for (const { url, as } of firstFiles(await response.text())) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'prefetch', href: url, as, crossOrigin: 'anonymous' })
    document.head.append(link)
  }
}

/**
 * Loads the application into the browser's cache while the user types, without running any of it. The page `/` is its
 * own manifest. A failure costs only the head start.
 */
export const preloadApplication = () => {
  const start = () => void fetchAhead().catch(() => {})
  const whenIdle = () => ('requestIdleCallback' in window ? requestIdleCallback(start, { timeout: 5000 }) : start())
  if (document.readyState === 'complete') whenIdle()
  else window.addEventListener('load', whenIdle, { once: true })
}
