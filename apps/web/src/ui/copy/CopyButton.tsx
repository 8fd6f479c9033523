import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useCopy } from './use-copy.ts'

type Props = {
  text: string
  /** The label beside the icon; without it the button is the icon alone. */
  label?: string
}

/** Copies a text to the clipboard: antd's own button does so silently, and shows its success for too long. */
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
