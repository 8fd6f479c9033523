import { create } from 'zustand'
import { setLocalItem, getLocalItem } from '#api/storage.ts'
import type { Tone } from './decide-sound.ts'
import { renderTone } from './tone.ts'

/** `blocked`: started but inaudible; the screen must say so. */
export type SoundHealth = 'off' | 'ok' | 'blocked'
type Sound = { health: SoundHealth; volume: number }

export const MIN_VOLUME = 0.2
const VOLUME_KEY = 'deskVolume'
const SHIFT_KEY = 'deskShift'

const bounded = (volume: number): number => Math.min(1, Math.max(MIN_VOLUME, volume))
const keptVolume = (): number => bounded(Number(getLocalItem(VOLUME_KEY) ?? 0.8) || 0.8)

export const useSound = create<Sound>()(() => ({ health: 'off', volume: keptVolume() }))

type Loop = { tone: Tone; source: AudioBufferSourceNode; gain: GainNode; from: number }
type Player = { context: AudioContext; master: GainNode; buffers: Map<string, AudioBuffer>; loop: Loop | undefined }
let player: Player | undefined
/** The audio clock at the last check. */
let looked: { at: number; audio: number } | undefined

const setHealth = (health: SoundHealth) => {
  if (useSound.getState().health !== health) useSound.setState({ health })
}

const same = (tone: Tone, other: Tone): boolean => tone.level === other.level && tone.soft === other.soft

const bufferOf = ({ context, buffers }: Player, tone: Tone): AudioBuffer => {
  const key = `${tone.level}${tone.soft}`
  const known = buffers.get(key)
  if (known) return known
  const samples = renderTone(tone, context.sampleRate)
  const buffer = context.createBuffer(1, samples.length, context.sampleRate)
  buffer.copyToChannel(samples, 0)
  buffers.set(key, buffer)
  return buffer
}

const play = (at: Player, tone: Tone, loop: boolean) => {
  const source = at.context.createBufferSource()
  const gain = at.context.createGain()
  source.buffer = bufferOf(at, tone)
  source.loop = loop
  source.connect(gain).connect(at.master)
  source.start()
  return { source, gain }
}

/** A cut at full amplitude would click in the speaker. */
const FADE_SEC = 0.03

const endLoop = (at: Player) => {
  const { loop, context } = at
  at.loop = undefined
  if (!loop) return
  loop.gain.gain.setTargetAtTime(0, context.currentTime, FADE_SEC / 3)
  loop.source.stop(context.currentTime + FADE_SEC)
}

/** Loops this tone until stopped; a loop of the audio clock, which no hidden tab slows down. */
export const loopTone = (tone: Tone | null): void => {
  if (!player) return
  if (tone && player.loop && same(player.loop.tone, tone)) return
  endLoop(player)
  if (tone) player.loop = { tone, ...play(player, tone, true), from: player.context.currentTime }
}

/** Plays a tone once, unless one is playing. */
export const playOnce = (tone: Tone): void => {
  if (player && !player.loop) play(player, tone, false)
}

/** The sound that was played long enough to be audible. */
const AUDIBLE_SEC = 0.3
export const isAudible = (): boolean =>
  player?.loop !== undefined &&
  useSound.getState().health === 'ok' &&
  player.context.currentTime - player.loop.from >= AUDIBLE_SEC

/** Time after which an audio clock that does not advance counts as stopped. */
const STALL_MS = 900

/** The watchdog: a context that reports "running" while its clock stands still is as silent as a suspended one. */
export const checkSoundHealth = (now = performance.now()): void => {
  if (!player) return
  const { state, currentTime } = player.context
  if (state !== 'running') {
    looked = undefined
    return setHealth('blocked')
  }
  if (looked && looked.audio === currentTime) {
    if (now - looked.at >= STALL_MS) setHealth('blocked')
    return
  }
  looked = { at: now, audio: currentTime }
  setHealth('ok')
}

const resume = async () => {
  await player?.context.resume().catch(() => undefined)
  checkSoundHealth()
}

/** Every interaction is a chance to resume a suspended sound. */
const onTouch = () => {
  if (useSound.getState().health === 'blocked') void resume()
}

/** Called from a click, because browsers allow sound only after one. Plays a test tone. */
export const startSound = async (): Promise<void> => {
  if (typeof AudioContext === 'undefined') return setHealth('blocked')
  if (!player) {
    const context = new AudioContext()
    const master = context.createGain()
    master.gain.value = useSound.getState().volume
    master.connect(context.destination)
    player = { context, master, buffers: new Map(), loop: undefined }
    context.addEventListener('statechange', () => checkSoundHealth())
    window.addEventListener('pointerdown', onTouch)
    // A key used by the desk does not propagate further.
    window.addEventListener('keydown', onTouch, { capture: true })
  }
  setHealth('blocked')
  await resume()
  testSound()
  try {
    sessionStorage.setItem(SHIFT_KEY, '1')
  } catch {
    // Only the text after a reload depends on it.
  }
}

export const testSound = (): void => playOnce({ level: 2, soft: false })

export const stopSound = async (): Promise<void> => {
  const ended = player
  player = undefined
  looked = undefined
  setHealth('off')
  window.removeEventListener('pointerdown', onTouch)
  window.removeEventListener('keydown', onTouch, { capture: true })
  try {
    sessionStorage.removeItem(SHIFT_KEY)
  } catch {
    // See startSound.
  }
  await ended?.context.close()
}

/** Whether sound was on in this tab before the reload. */
export const wasStarted = (): boolean => {
  try {
    return sessionStorage.getItem(SHIFT_KEY) === '1'
  } catch {
    return false
  }
}

export const setVolume = (volume: number): void => {
  const next = bounded(volume)
  useSound.setState({ volume: next })
  setLocalItem(VOLUME_KEY, String(next))
  player?.master.gain.setTargetAtTime(next, player.context.currentTime, FADE_SEC)
}
