import { roles } from '@tocsin/contract/access/rights/role'
import { useQuery } from '@tanstack/react-query'
import { Select, type SelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { localName } from '#ui/cell/LocalName.tsx'

type Props = SelectProps<number[]> & {
  /** The stored roles of the form; a disabled one is not offered again. */
  present?: readonly { id: number; name: string; nameEn?: string | null }[]
}

export const useRoles = () => useQuery(queryFor(roles.simpleList))

/** A multiple select of the enabled roles. */
export const RoleSelect = ({ present = [], ...rest }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { data = [], isFetching } = useRoles()
  const options = [...data, ...present.filter(({ id }) => data.every((item) => item.id !== id))]
  return (
    <Select<number[]>
      mode="multiple"
      loading={isFetching}
      options={options.map((role) => ({ value: role.id, label: localName(role, lang) }))}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('user.noRoles')}
      {...rest}
    />
  )
}
