import { ConfigProvider, theme } from 'antd'
import type { ReactNode } from 'react'

/** Controls that are there to be read and not to be changed; the kit's grey for what is disabled is too faint for that. */
export const ReadOnlyControls = ({ children }: { children: ReactNode }) => {
  const { token } = theme.useToken()
  return (
    <ConfigProvider componentDisabled theme={{ token: { colorTextDisabled: token.colorText } }}>
      {children}
    </ConfigProvider>
  )
}
