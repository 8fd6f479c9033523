import { UserOutlined } from '@ant-design/icons'
import { Avatar } from 'antd'
import './upload.css'

/** A person's picture; without one, or when its link is over, a sign. The name stands beside it. */
export const Face = ({ url, size = 24 }: { url: string | null | undefined; size?: number }) => (
  <Avatar size={size} icon={<UserOutlined />} {...(url && { src: url })} alt="" style={{ flex: 'none' }} />
)

export const Named = ({ name, url }: { name: string; url: string | null }) => (
  <span className="with-face">
    <Face url={url} />
    {name}
  </span>
)
