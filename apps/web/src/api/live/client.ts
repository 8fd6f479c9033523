import { type KillReason, killReason } from '@tocsin/contract/codes'
import { LiveFrame, type LiveTopic, type PageFrame, HEARTBEAT_TIMEOUT_MS } from '@tocsin/contract/live'

export type LiveEvent = Extract<LiveFrame, { data: unknown }>
/** Answer of the page to a heartbeat: ids of displayed records. */
export type HeartbeatReport = Omit<Extract<PageFrame, { type: 'beat' }>, 'type' | 'n'>
/**
 * `since`: when something was received last, epoch milliseconds; absent where the close of the connection was received.
 */
export type LiveStatus =
  | { live: boolean; since?: number }
  | { open: number; due: number; rings: boolean }
  | { locked: boolean }
  | { notStoredSince: number | undefined }

/** Close codes of the server: the token expired; the session is over. */
const TOKEN_RAN_OUT = 4401
const SIGNED_OUT = 4403

export type Deps = {
  open: () => WebSocket
  token: () => string | null
  renew: (refused: string | null) => Promise<string>
  signedOut: (why: KillReason | undefined) => void
  /** Sets the named timer again, null clears it; `elapsed(name)` is called when it runs out. */
  timer: (name: 'silent' | 'again', ms: number | null) => void
  status: (status: LiveStatus) => void
  beat: () => HeartbeatReport
  event: (event: LiveEvent) => void
  /** All data on the screen may be old. */
  reread: () => void
  /** The server answers: failed reads may succeed now. Timers of a hidden window would be late. */
  retry?: () => void
  /** Received in addition to the events for everybody. */
  topics?: readonly LiveTopic[]
}

const isEvent = (frame: LiveFrame): frame is LiveEvent => 'data' in frame

/** Also undefined for a frame type of a newer server. */
const parse = (text: unknown): LiveFrame | undefined => {
  try {
    return LiveFrame.safeParse(JSON.parse(String(text))).data
  } catch {
    return undefined
  }
}

/** 0.5 s doubling to 15 s, half of it random, so that a thousand desks do not reconnect in the same instant. */
export const backoffMs = (attempt: number, chance = Math.random()): number =>
  Math.min(15_000, 500 * 2 ** attempt) * (0.5 + chance / 2)

const IDS_A_FRAME = 200

/** As many frames as the ids of a beat need, each sent once. */
const framesOf = ({ renew, shown, sounded }: HeartbeatReport): HeartbeatReport[] => {
  const [renewed, seen, items] = [[...new Set(renew)], [...new Set(shown)], [...new Set(sounded)]]
  const count = Math.ceil(Math.max(1, renewed.length, seen.length, items.length) / IDS_A_FRAME)
  return Array.from({ length: count }, (_, n) => {
    const part = (ids: number[]) => ids.slice(n * IDS_A_FRAME, (n + 1) * IDS_A_FRAME)
    return { renew: part(renewed), shown: part(seen), sounded: part(items) }
  })
}

type Link = { socket: WebSocket; token: string; ready: boolean }

/** The single live connection of a page: connects, authenticates, answers beats, and detects silence. */
export class LiveClient {
  #link: Link | undefined
  #since: number | undefined
  #attempt = 0
  #wanted = false
  #beat = 0
  #notStoredSince: number | undefined
  #heardAt: number | undefined
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start() {
    this.#wanted = true
    this.#connect()
  }

  stop() {
    this.#wanted = false
    this.#deps.timer('again', null)
    this.#drop()
  }

  elapsed(name: string) {
    if (name === 'again') this.#connect()
    // After a sleep the connection looks alive until a timeout, and the page shows old data.
    else if ((name === 'silent' || name === 'slept') && this.#link) {
      this.#drop(this.#heardAt)
      this.#retry()
    }
  }

  /** The network or the user is back: no reason to wait any longer. */
  hurry() {
    if (this.#link) return
    this.#deps.timer('again', null)
    this.#attempt = 0
    this.#connect()
  }

  /** Reports at once what the page displays now: the moment of display and sound is measured. */
  report() {
    if (this.#link?.ready) this.#answer(this.#link)
  }

  /** A socket outlives its token only if it receives the next one. */
  renewed(token: string) {
    if (!this.#link) return this.#connect()
    this.#link.token = token
    if (this.#link.ready) this.#prove(this.#link)
  }

  #connect() {
    const token = this.#deps.token()
    if (!this.#wanted || this.#link || !token) return
    const link: Link = { socket: this.#deps.open(), token, ready: false }
    this.#link = link
    const mine = (act: () => void) => {
      if (this.#link === link) act()
    }
    link.socket.addEventListener('open', () => mine(() => this.#prove(link)))
    link.socket.addEventListener('message', ({ data }) => mine(() => this.#receive(link, parse(data))))
    link.socket.addEventListener('close', (closed) => mine(() => this.#closed(link, closed)))
    this.#deps.timer('silent', HEARTBEAT_TIMEOUT_MS)
  }

  #retry() {
    this.#deps.timer('again', backoffMs(this.#attempt))
    this.#attempt += 1
  }

  #drop(since?: number) {
    const link = this.#link
    this.#link = undefined
    this.#deps.timer('silent', null)
    this.#deps.status({ live: false, ...(since !== undefined && { since }) })
    link?.socket.close()
  }

  #closed(link: Link, { code, reason }: CloseEvent) {
    this.#drop()
    if (code === SIGNED_OUT) this.#deps.signedOut(killReason(reason))
    else if (code === TOKEN_RAN_OUT) {
      void this.#deps.renew(link.token).then(
        () => this.#connect(),
        () => this.#retry(),
      )
    } else this.#retry()
  }

  /** A beat, or the first frame of a connection: from here on silence counts. */
  #hear() {
    this.#heardAt = Date.now()
    this.#deps.timer('silent', HEARTBEAT_TIMEOUT_MS)
  }

  #say({ socket }: Link, frame: PageFrame) {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame))
  }

  #answer(link: Link) {
    for (const frame of framesOf(this.#deps.beat())) this.#say(link, { type: 'beat', n: this.#beat, ...frame })
  }

  #hearStorage(notStoredSince: number | undefined) {
    if (notStoredSince === this.#notStoredSince) return
    this.#notStoredSince = notStoredSince
    this.#deps.status({ notStoredSince })
  }

  #prove(link: Link) {
    const since = this.#since
    this.#say(link, { type: 'auth', token: link.token, ...(since !== undefined && { since }) })
  }

  #receive(link: Link, frame: LiveFrame | undefined) {
    if (!frame) return
    if (isEvent(frame)) {
      this.#since = Math.max(this.#since ?? 0, frame.id)
      this.#deps.event(frame)
    } else if (frame.type === 'beat') {
      this.#hear()
      this.#beat = frame.n
      // A desk that receives few events of a busy city need not read everything again after a break.
      if (frame.seq !== undefined) this.#since = Math.max(this.#since ?? 0, frame.seq)
      this.#hearStorage(frame.notStoredSince)
      this.#answer(link)
      this.#deps.retry?.()
    } else if (frame.type === 'ready') this.#ready(link, frame)
    else if (frame.type === 'count') {
      const { open, due, rings } = frame
      this.#deps.status({ open, due, rings })
    } else if (frame.type === 'resync') {
      this.#since = frame.seq
      this.#deps.reread()
    }
  }

  #ready(link: Link, { seq, locked }: { seq: number; locked: boolean }) {
    this.#deps.status({ locked })
    // Sends a renewed token on the same connection: no event is missed.
    if (link.ready) return
    link.ready = true
    for (const name of this.#deps.topics ?? []) this.#say(link, { type: 'topic', name, follow: true })
    this.#attempt = 0
    this.#since ??= seq
    this.#hear()
    this.#deps.status({ live: true })
    // Also the first time: data read before the connection was ready may miss changes in between.
    this.#deps.reread()
  }
}
