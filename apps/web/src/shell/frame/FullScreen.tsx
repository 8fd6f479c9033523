import { FullscreenExitOutlined, FullscreenOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'

const watch = (changed: () => void) => {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

export const FullScreenButton = () => {
  const { t } = useTranslation()
  const on = useSyncExternalStore(watch, () => document.fullscreenElement !== null)
  if (!document.fullscreenEnabled) return null
  const words = t(on ? 'shell.leaveFullScreen' : 'shell.fullScreen')
  const toggle = () => (on ? document.exitFullscreen() : document.documentElement.requestFullscreen())
  return (
    <Button
      type="text"
      icon={on ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
      aria-label={words}
      title={words}
      // A browser may refuse; then nothing has changed and nothing is to be said.
      onClick={() => void toggle().catch(() => undefined)}
    />
  )
}
