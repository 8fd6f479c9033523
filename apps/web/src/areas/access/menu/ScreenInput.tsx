import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Input, type InputProps, Space } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Param, parseScreen, formatScreen } from './menu-draft.ts'

/** The other properties, such as the description, come from the form field. */
type Props = Omit<InputProps, 'value' | 'onChange'> & { value?: string | null; onChange?: (text: string) => void }

/** The screen, and a row for each of its parameters; both are stored as one text. */
export const ScreenInput = ({ value, onChange, ...rest }: Props) => {
  const { t } = useTranslation()
  const adding = useRef<HTMLButtonElement>(null)
  const text = value ?? ''
  const [state, setTold] = useState(text)
  const [given, setGiven] = useState(() => parseScreen(text))
  if (text !== state) {
    setTold(text)
    setGiven(parseScreen(text))
  }
  const { screen, params } = given
  const say = (next: typeof given) => {
    const made = formatScreen(next)
    setGiven(next)
    setTold(made)
    onChange?.(made)
  }
  // A pasted text with parameters is split into rows.
  const typed = (whole: string) => {
    const { screen: typedScreen, params: more } = parseScreen(whole)
    say({ screen: typedScreen, params: [...params, ...more] })
  }
  const put = (at: number, change: Partial<Param>) =>
    say({ screen, params: params.map((param, no) => (no === at ? { ...param, ...change } : param)) })
  const remove = (at: number) => {
    say({ screen, params: params.filter((_, no) => no !== at) })
    // The focused button disappears with the last row.
    if (at === params.length - 1) adding.current?.focus()
  }
  return (
    <Flex vertical gap={8}>
      <Input {...rest} value={screen} onChange={({ target }) => typed(target.value)} maxLength={200} />
      {params.map((param, at) => (
        <Space.Compact key={at} block>
          <Input
            autoFocus={param.key === ''}
            value={param.key}
            placeholder={t('menu.paramKey')}
            aria-label={t('menu.paramKeyOf', { no: at + 1 })}
            onChange={({ target }) => put(at, { key: target.value })}
          />
          <Input
            value={param.value}
            placeholder={t('menu.paramValue')}
            aria-label={t('menu.paramValueOf', { no: at + 1 })}
            onChange={({ target }) => put(at, { value: target.value })}
          />
          <Button
            icon={<DeleteOutlined />}
            aria-label={t('menu.paramDelete', { no: at + 1 })}
            onClick={() => remove(at)}
          />
        </Space.Compact>
      ))}
      <Button
        ref={adding}
        type="dashed"
        size="small"
        icon={<PlusOutlined />}
        style={{ alignSelf: 'start' }}
        onClick={() => say({ screen, params: [...params, { key: '', value: '' }] })}
      >
        {t('menu.paramAdd')}
      </Button>
    </Flex>
  )
}
