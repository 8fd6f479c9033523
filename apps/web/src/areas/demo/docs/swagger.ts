// Only these files of the package, unchanged: its page and its start script are not used.
import viewerScript from '@fastify/swagger-ui/static/swagger-ui-bundle.js?url'
import viewerStyle from '@fastify/swagger-ui/static/swagger-ui.css?url'
import { tokens } from '#api/session.ts'

type Request = { headers: Record<string, string> }
type Options = {
  domNode: HTMLElement
  spec: unknown
  requestInterceptor: (request: Request) => Request
  [option: string]: unknown
}
type Viewer = { layoutActions: { show: (label: readonly string[], shown: boolean) => void } }
type Show = (options: Options) => Viewer

/** Its own resolver walks the whole document for each call and blocks the page; there are no references to resolve. */
const resolveSubtree = async (spec: unknown, path: readonly string[]) => ({
  spec: path.reduce((at, key) => (at as Record<string, unknown> | undefined)?.[key], spec),
  errors: [],
})

/** The global that the package's script sets. */
const global = () => (window as unknown as { SwaggerUIBundle?: Show }).SwaggerUIBundle

let loading: Promise<void> | undefined

const fetchScript = () =>
  new Promise<void>((resolve, reject) => {
    const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: viewerStyle })
    const script = Object.assign(document.createElement('script'), { src: viewerScript })
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      script.remove()
      style.remove()
      loading = undefined
      reject(new Error('the viewer of the document did not come'))
    })
    document.head.append(style, script)
  })

/** The viewer renders choices without a label; their description is beside them. */
const nameChoices = (viewer: HTMLElement): void => {
  for (const choice of viewer.querySelectorAll('select:not([aria-label])')) {
    const parameter = choice.closest('[data-param-name]')?.getAttribute('data-param-name')
    const name = parameter ?? choice.closest('.servers')?.previousElementSibling?.textContent
    if (name) choice.setAttribute('aria-label', name)
  }
}

/**
 * Renders a document without references, of the calls of one area, in an element. Only read calls can be tried, with
 * the user's own permissions.
 * @param open the id of a call that is expanded at first
 */
export const showDocs = async (domNode: HTMLElement, spec: unknown, area: string, open?: string): Promise<void> => {
  loading ??= fetchScript()
  await loading
  const viewer = global()?.({
    domNode,
    spec,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    deepLinking: false,
    validatorUrl: null,
    fn: { resolveSubtree },
    // Its curl command would contain the token that the interceptor adds.
    showMutatedRequest: false,
    supportedSubmitMethods: ['get'],
    requestInterceptor: (request) => {
      const token = tokens.access()
      if (token) request.headers['Authorization'] = `Bearer ${token}`
      return request
    },
  })
  new MutationObserver(() => nameChoices(domNode)).observe(domNode, { childList: true, subtree: true })
  if (open !== undefined) viewer?.layoutActions.show(['operations', area, open], true)
}
