import { ReloadOutlined } from '@ant-design/icons'
import { Button, Input, Space } from 'antd'
import { useTranslation } from 'react-i18next'
import { passwordDraft } from './password-draft.ts'

type Props = { id?: string; value?: string; onChange?: (value: string) => void }

/** A password that another person will type: readable, with a generator. */
export const PasswordInput = ({ id, value, onChange }: Props) => {
  const { t } = useTranslation()
  return (
    <Space.Compact block>
      <Input
        {...(id && { id })}
        {...(value !== undefined && { value })}
        autoComplete="off"
        spellCheck={false}
        style={{ fontFamily: 'monospace' }}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <Button
        icon={<ReloadOutlined />}
        aria-label={t('user.anotherPassword')}
        title={t('user.anotherPassword')}
        onClick={() => onChange?.(passwordDraft())}
      />
    </Space.Compact>
  )
}
