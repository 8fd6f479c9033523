import { FullscreenExitOutlined, FullscreenOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** For a drawer to read: the button beside its title that toggles the full window. */
export const useFullWindow = (size: string) => {
  const { t } = useTranslation()
  const [whole, setWhole] = useState(false)
  const words = t(whole ? 'shell.leaveFullScreen' : 'shell.fullScreen')
  const extra = (
    <Button
      type="text"
      icon={whole ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
      aria-label={words}
      title={words}
      onClick={() => setWhole(!whole)}
    />
  )
  return { size: whole ? '100vw' : size, extra }
}
