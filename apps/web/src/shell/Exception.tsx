import { DisconnectOutlined, InboxOutlined } from '@ant-design/icons'
import { Button, Flex, Result } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { signOut } from './sign-out.ts'

/** SPEC 2's exception page. */
export type Trouble = '403' | '404' | '500' | 'empty' | 'network'

const texts = {
  403: 'shell.forbiddenTitle',
  404: 'shell.notFoundTitle',
  500: 'shell.serverErrorTitle',
  empty: 'shell.emptyTitle',
  network: 'shell.networkTitle',
} as const

const icons: Partial<Record<Trouble, ReactNode>> = { empty: <InboxOutlined />, network: <DisconnectOutlined /> }

type Props = {
  trouble: Trouble
  /** Stands large above; the number of the trouble when absent. */
  title?: string
  /** Said below the sentence that belongs to the trouble, or in its place. */
  detail?: ReactNode
  /** Further ways on, before those home and to sign-in. */
  more?: ReactNode
}

/** In place of a whole page: what is wrong, and the ways on. */
export const Exception = ({ trouble, title, detail, more }: Props) => {
  const { t } = useTranslation()
  const icon = icons[trouble]
  const sentence = t(texts[trouble])
  const shown = icon ? ({ status: 'info', icon } as const) : ({ status: trouble as '403' | '404' | '500' } as const)
  return (
    <Result
      {...shown}
      title={title ?? (icon ? sentence : trouble)}
      subTitle={detail ?? (icon && !title ? undefined : sentence)}
      extra={
        <Flex wrap gap="small" justify="center">
          {more}
          <Link to="/">
            <Button type={more ? 'default' : 'primary'}>{t('shell.home')}</Button>
          </Link>
          <Button onClick={() => void signOut()}>{t('shell.toSignIn')}</Button>
        </Flex>
      }
    />
  )
}
