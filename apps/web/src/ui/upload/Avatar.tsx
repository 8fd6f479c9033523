import { UserOutlined } from '@ant-design/icons'
import { useState } from 'react'
import './upload.css'

type Props = { url: string | null | undefined; size?: number }

/**
 * A person's picture; without one, or when its link is over, a sign. The name stands beside it. The kit's own asks seven
 * things of the window, and a list shows many of these.
 */
export const Avatar = ({ url, size = 24 }: Props) => {
  const [over, setOver] = useState<string>()
  return (
    <span className="face" style={{ width: size, height: size, fontSize: size / 2 }}>
      {url && url !== over ? <img src={url} alt="" onError={() => setOver(url)} /> : <UserOutlined />}
    </span>
  )
}

export const UserLabel = ({ name, url }: { name: string; url: string | null }) => (
  <span className="with-face">
    <Avatar url={url} />
    {name}
  </span>
)
