# Powers of ten that are a little less, or more, than they look.
print(format(1e60, '.17g'), '%.17g' % 1e60, f"{1e60:.16e}", format(1e60+0j, '.17g'), format(1e60, '.20g'), f"{1e60:.17e}", format(1e23, '.17g'), format(1e22, '.17g'), format(9.999999999999999e22,'.17g'), format(1e60-1.5e40j, '.17g'))
for e in range(-308, 309, 7):
    x = float(f"1e{e}")
    print(e, [format(x, f".{n}e") for n in (0, 3, 15, 16, 17, 20)], format(x, ".17g"), "%.18g" % -x)
