/** The part of oidc-provider that tests use; the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Interaction = { prompt: { name: string }; params: Record<string, unknown>; session?: { accountId: string } }
  export type Grant = { addOIDCScope: (scope: string) => void; save: () => Promise<string> }
  export class Provider {
    Grant: new (of: {
      accountId: string
      clientId: string
    }) => Grant
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
