import { FullscreenExitOutlined, FullscreenOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'

const watch = (changed: () => void) => {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

/** Undefined where the browser does not support it, as on some phones. */
export const useFullScreen = () => {
  const { t } = useTranslation()
  const on = useSyncExternalStore(watch, () => document.fullscreenElement !== null)
  if (!document.fullscreenEnabled) return undefined
  const words = t(on ? 'shell.leaveFullScreen' : 'shell.fullScreen')
  const toggle = () => (on ? document.exitFullscreen() : document.documentElement.requestFullscreen())
  // A browser may refuse; then nothing has changed.
  return { on, words, toggle: () => void toggle().catch(() => undefined) }
}

export const FullScreenButton = () => {
  const screen = useFullScreen()
  if (!screen) return null
  const { on, words, toggle } = screen
  return (
    <Button
      type="text"
      icon={on ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
      aria-label={words}
      title={words}
      onClick={toggle}
    />
  )
}
