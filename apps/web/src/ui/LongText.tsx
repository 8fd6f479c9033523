import { Typography } from 'antd'
import { useMedium } from './responsive/media.ts'

type Props = { text: string | null; code?: boolean; width?: number }

/** A text of any length in a list: one line, complete on hover; in a card, where there is no hover, complete. */
export const LongText = ({ text, code = false, width = 240 }: Props) => {
  const md = useMedium()
  if (!text) return <>–</>
  return (
    <Typography.Text code={code} {...(md && { ellipsis: { tooltip: text }, style: { maxWidth: width } })}>
      {text}
    </Typography.Text>
  )
}
