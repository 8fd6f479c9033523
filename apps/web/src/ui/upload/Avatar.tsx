import { UserOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { initialsOf } from './initials.ts'
import './upload.css'

const HUES = 6

type Props = {
  url: string | null | undefined
  size?: number
  /** Of the person: initials stand in place of a picture, on a ground that is always the same for the id. */
  name?: string | undefined
  id?: number | undefined
}

/**
 * A person's picture; initials without one, or when its link has expired. The name stands beside it. antd's own observes
 * the window several times, and a list shows many of these.
 */
export const Avatar = ({ url, size = 24, name, id = 0 }: Props) => {
  const [over, setOver] = useState<string>()
  const initials = initialsOf(name ?? '')
  const isPictured = url && url !== over
  return (
    <span
      className="face"
      aria-hidden="true"
      style={{ width: size, height: size, fontSize: size / 2 }}
      {...(!isPictured && initials && { 'data-initials': initials, 'data-hue': id % HUES })}
    >
      {isPictured ? <img src={url} alt="" onError={() => setOver(url)} /> : !initials && <UserOutlined />}
    </span>
  )
}

export const UserLabel = ({ id, name, url }: { id: number; name: string; url: string | null }) => (
  <span className="with-face">
    <Avatar url={url} name={name} id={id} />
    {name}
  </span>
)
