import { Typography } from 'antd'

type Props = { text: string | null; code?: boolean; width?: number }

/** A text of any length in a list: one line, the whole of it on pointing. */
export const LongText = ({ text, code = false, width = 240 }: Props) =>
  text ? (
    <Typography.Text code={code} ellipsis={{ tooltip: text }} style={{ maxWidth: width }}>
      {text}
    </Typography.Text>
  ) : (
    <>—</>
  )
