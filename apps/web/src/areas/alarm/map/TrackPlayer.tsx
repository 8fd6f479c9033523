import { CaretRightOutlined, PauseOutlined } from '@ant-design/icons'
import { Button, Flex, Segmented, Slider, Typography } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '#ui/time.ts'
import { type PlayerAction, usePlayerKeys } from './use-player-keys.ts'

const trackSpeeds = [1, 4, 16] as const
const START_SPEED = 4
const TICK_MS = 200
const STEP_MS = 5000
const noMarks: readonly number[] = []

type Props = {
  span: { from: number; to: number }
  /** Undefined: the present, as far as the tracks are known. */
  at: number | undefined
  onMove: (at: number | undefined) => void
  /** Whether the tracks go on, so that there is a present to go back to. */
  isLive: boolean
  speeds?: readonly number[]
  /** Moments that the line of time shows. */
  marks?: readonly number[]
  /** Whether the keys of the page belong to the player. */
  hasKeys?: boolean
}

type Moments = Pick<Props, 'span' | 'at' | 'onMove'>

const usePlayback = ({ span, at, onMove }: Moments, speeds: readonly number[]) => {
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(START_SPEED)
  const moment = at ?? span.to
  const tick = useEffectEvent(() => {
    const next = Math.min(span.to, moment + TICK_MS * speed)
    onMove(next)
    if (next === span.to) setPlaying(false)
  })
  useEffect(() => {
    if (!isPlaying) return
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [isPlaying])
  const toggle = () => {
    if (!isPlaying && moment >= span.to) onMove(span.from)
    setPlaying(!isPlaying)
  }
  const perform = (action: PlayerAction) => {
    if (action.kind === 'toggle') return toggle()
    if (action.kind === 'step') return onMove(Math.max(span.from, Math.min(span.to, moment + action.by * STEP_MS)))
    if (action.kind === 'end') return onMove(action.isStart ? span.from : span.to)
    const next = speeds[speeds.indexOf(speed) + action.by]
    if (next !== undefined) setSpeed(next)
  }
  return { isPlaying, setPlaying, speed, setSpeed, moment, toggle, perform }
}

/** Plays tracks back: a line of time, play and pause, some speeds. */
export const TrackPlayer = ({
  span,
  at,
  onMove,
  isLive,
  speeds = trackSpeeds,
  marks = noMarks,
  hasKeys = false,
}: Props) => {
  const { t } = useTranslation()
  const playback = usePlayback({ span, at, onMove }, speeds)
  const { isPlaying, setPlaying, speed, setSpeed, moment, toggle, perform } = playback
  usePlayerKeys(hasKeys, perform)
  return (
    <Flex gap="small" align="center" wrap role="group" aria-label={t('track.replay')}>
      <Button icon={isPlaying ? <PauseOutlined /> : <CaretRightOutlined />} onClick={toggle}>
        {t(isPlaying ? 'track.pause' : 'track.play')}
      </Button>
      <Segmented
        value={speed}
        onChange={setSpeed}
        aria-label={t('track.speed')}
        options={[...speeds].map((value) => ({ value, label: `×${value}` }))}
      />
      <Slider
        className="track-time"
        min={span.from}
        max={Math.max(span.to, span.from + 1)}
        step={1000}
        value={moment}
        marks={Object.fromEntries(marks.map((mark) => [mark, ' ']))}
        // The arrow keys of the page step farther than those of the handle.
        keyboard={!hasKeys}
        onChange={onMove}
        ariaLabelForHandle={t('track.moment')}
        tooltip={{ formatter: (value) => formatTime(value ?? span.from) }}
      />
      <Typography.Text>{formatTime(moment)}</Typography.Text>
      {isLive && at !== undefined && (
        <Button
          type="link"
          onClick={() => {
            setPlaying(false)
            onMove(undefined)
          }}
        >
          {t('track.backToLive')}
        </Button>
      )}
    </Flex>
  )
}
