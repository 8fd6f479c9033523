import { Button } from 'antd'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { usePulse } from '../use-pulse.ts'
import { startSound, useSound } from './player.ts'
import './sound.css'

type Props = {
  /** How many wait. */
  title: string
  mode: string
  /** The most urgent one. */
  children: ReactNode
  /** The button to the desk, for users who have it. */
  open?: { label: string; onClick: () => void } | undefined
}

/** Above every page but the desk: what rings, with a button for sound that is off and one to the desk. */
export const RingBand = ({ title, mode, children, open }: Props) => {
  const { t } = useTranslation()
  const health = useSound((sound) => sound.health)
  const box = useRef<HTMLDivElement>(null)
  usePulse(box)
  return (
    <div className="ring-banner" ref={box} role="alert" data-mode={mode}>
      <strong>{title}</strong>
      <span className="ring-first">{children}</span>
      {health !== 'ok' && (
        <Button size="small" onClick={() => void startSound()}>
          {t('desk.soundOn')}
        </Button>
      )}
      {open && (
        <Button size="small" onClick={open.onClick}>
          {open.label}
        </Button>
      )}
    </div>
  )
}
