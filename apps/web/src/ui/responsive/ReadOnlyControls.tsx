import { ConfigProvider, theme } from 'antd'
import type { ReactNode } from 'react'

/** Controls to be read, not changed; antd's grey of disabled ones has too little contrast. */
export const ReadOnlyControls = ({ children }: { children: ReactNode }) => {
  const { token } = theme.useToken()
  return (
    <ConfigProvider componentDisabled theme={{ token: { colorTextDisabled: token.colorText } }}>
      {children}
    </ConfigProvider>
  )
}
