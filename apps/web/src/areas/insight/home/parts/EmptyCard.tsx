import { Flex } from 'antd'
import { Link } from 'react-router'

type Props = {
  /** Why there is nothing, or what would fill the card. */
  text: string
  /** The next step; undefined for users without that screen. */
  to: string | undefined
  label: string
}

/** A card without rows. */
export const EmptyCard = ({ text, to, label }: Props) => (
  <Flex vertical gap="small" align="start">
    <div className="home-name">{text}</div>
    {to !== undefined && <Link to={to}>{label}</Link>}
  </Flex>
)
