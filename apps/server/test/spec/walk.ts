import type { Endpoint, Method } from '@tocsin/contract/endpoint'

/** `{id}`, `:id` and `:ids` name the same part of an address. */
export const withoutParamNames = (call: string): string => call.replaceAll(/\{\w+\}|:\w+/g, '*')

export type Spelling = { call: string; method: Method; path: string; address: string; endpoint: Endpoint }

/** Every alias of a call; `address` has ids in place of parameters. */
export const spellingsOf = (endpoint: Endpoint): Spelling[] =>
  [{ path: endpoint.path }, ...(endpoint.also ?? [])].map((spelling) => {
    const { method = endpoint.method, path } = spelling as { method?: Method; path: string }
    return { call: `${method} ${path}`, method, path, address: path.replaceAll(/:\w+/g, '999999'), endpoint }
  })
