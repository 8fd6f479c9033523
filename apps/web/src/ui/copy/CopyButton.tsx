import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useCopy } from './use-copy.ts'

type Props = {
  text: string
  /** Beside the sign; without it the button is the sign alone. */
  label?: string
}

/** Puts a text on the clipboard: the kit's own button does it silently, and says for too long that it did. */
export const CopyButton = ({ text, label }: Props) => {
  const { t } = useTranslation()
  const [copied, copy] = useCopy()
  const sign = copied === undefined ? <CopyOutlined /> : <CheckOutlined />
  const words = copied === undefined ? t('icon.copy') : t('icon.copied')
  return (
    <Button
      size={label ? 'middle' : 'small'}
      type={label ? 'default' : 'link'}
      icon={sign}
      {...(!label && { 'aria-label': words, title: words })}
      onClick={() => copy(text)}
    >
      {label}
    </Button>
  )
}
