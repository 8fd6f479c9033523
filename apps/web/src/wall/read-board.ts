import { codeMessage } from '@tocsin/contract/codes'
import { wallCodes } from '@tocsin/contract/codes/wall-codes'
import { OK } from '@tocsin/contract/endpoint'
import type { Lang } from '@tocsin/contract/field'
import { MapBase } from '@tocsin/contract/insight/map'
import { WallBoard, wallLinks } from '@tocsin/contract/insight/wall'
import { z } from 'zod'
import { BASE, request } from '#api/wire/request.ts'

const TIMEOUT_MS = 10_000
const refusals: ReadonlySet<unknown> = new Set(Object.values(wallCodes).map(({ code }) => code))

/** `refused`: the link does not work any more. `failed`: this time only; the board goes on trying. */
export type BoardResult =
  | { kind: 'board'; board: WallBoard }
  | { kind: 'refused'; message: string }
  | { kind: 'failed' }

const Answer = z.object({ code: z.number(), msg: z.string(), data: z.unknown() })

const post = async (path: string, token: string): Promise<z.output<typeof Answer>> => {
  const response = await request(`${BASE}${path}`, {
    method: 'POST',
    token: null,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    body: JSON.stringify({ token }),
    type: 'application/json',
  })
  return Answer.parse(await response.json())
}

/** Reads the board by the token alone: a session of this browser has no part in it. */
export const readBoard = async (token: string, lang: Lang): Promise<BoardResult> => {
  try {
    const { code, msg, data } = await post(wallLinks.open.path, token)
    if (code === OK) return { kind: 'board', board: z.decode(WallBoard, data as z.input<typeof WallBoard>) }
    return refusals.has(code) ? { kind: 'refused', message: codeMessage({ code, msg }, lang) } : { kind: 'failed' }
  } catch {
    return { kind: 'failed' }
  }
}

/** Undefined when it cannot be read: the wall then shows its schools without a base map. */
export const readBase = async (token: string): Promise<MapBase | undefined> => {
  try {
    const { code, data } = await post(wallLinks.base.path, token)
    return code === OK ? MapBase.parse(data) : undefined
  } catch {
    return undefined
  }
}
