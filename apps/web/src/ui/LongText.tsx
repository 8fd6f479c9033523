import { Typography } from 'antd'
import { useMedium } from './responsive/media.ts'

type Props = { text: string | null; code?: boolean; width?: number }

/** A text of any length in a list: one line, the whole of it on pointing; in a card, where nobody points, all of it. */
export const LongText = ({ text, code = false, width = 240 }: Props) => {
  const md = useMedium()
  if (!text) return <>—</>
  return (
    <Typography.Text code={code} {...(md && { ellipsis: { tooltip: text }, style: { maxWidth: width } })}>
      {text}
    </Typography.Text>
  )
}
