// Of the package's files only these, as they are: its page and its start script are not ours.
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
type Viewer = { layoutActions: { show: (what: readonly string[], shown: boolean) => void } }
type Show = (options: Options) => Viewer

/** Its own reader walks through all of a document for each call, and the page stands still; nothing is to be looked up. */
const resolveSubtree = async (spec: unknown, path: readonly string[]) => ({
  spec: path.reduce((at, key) => (at as Record<string, unknown> | undefined)?.[key], spec),
  errors: [],
})

/** What the package's script leaves behind. */
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

/** The viewer draws choices without a name; what they are stands beside them. */
const nameChoices = (viewer: HTMLElement): void => {
  for (const choice of viewer.querySelectorAll('select:not([aria-label])')) {
    const parameter = choice.closest('[data-param-name]')?.getAttribute('data-param-name')
    const name = parameter ?? choice.closest('.servers')?.previousElementSibling?.textContent
    if (name) choice.setAttribute('aria-label', name)
  }
}

/**
 * Shows a document that refers to nothing, of the calls of one area, in an element of its own. Only reading calls can be tried out, with one's own rights.
 * @param open the id of a call that is shown in full from the beginning
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
    // The command line it offers would spell out the token that the interceptor adds.
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
