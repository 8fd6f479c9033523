import { WALL_EVERY_MS, WALL_FOLLOW_EVERY_MS, WALL_STALE_MS, type WallBoard } from '@tocsin/contract/insight/wall'
import { useEffect, useState } from 'react'
import { useLang } from '#texts/i18n.ts'
import { readBoard } from './read-board.ts'

const TICK_MS = 1000

export type WallState = {
  board: WallBoard | undefined
  /** Why the link does not work any more. */
  refusal: string | undefined
  /** The time of the server, as far as it is known. */
  now: number
  /** When the last answer came, by the server's clock; undefined while it is recent. */
  staleSince: number | undefined
}

/** The board, read again every few seconds, and whether what it shows is of now. */
export const useWallBoard = (token: string): WallState => {
  const lang = useLang()
  const [board, setBoard] = useState<WallBoard>()
  const [refusal, setRefusal] = useState<string>()
  const [received, setReceived] = useState<{ at: number; serverAt: number }>()
  const [clock, setClock] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setClock(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    let isGone = false
    let timer: ReturnType<typeof setTimeout>
    const read = async () => {
      const result = await readBoard(token, lang)
      if (isGone) return
      if (result.kind === 'board') {
        setBoard(result.board)
        setReceived({ at: Date.now(), serverAt: result.board.now.getTime() })
        setClock(Date.now())
      }
      if (result.kind !== 'failed') setRefusal(result.kind === 'refused' ? result.message : undefined)
      const isFollowing = result.kind === 'board' && result.board.follow !== null
      timer = setTimeout(() => void read(), isFollowing ? WALL_FOLLOW_EVERY_MS : WALL_EVERY_MS)
    }
    void read()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [token, lang])
  const passed = received ? clock - received.at : 0
  const isStale = received !== undefined && passed > WALL_STALE_MS
  return {
    board,
    refusal,
    now: received ? received.serverAt + passed : clock,
    staleSince: isStale ? received.serverAt : undefined,
  }
}
